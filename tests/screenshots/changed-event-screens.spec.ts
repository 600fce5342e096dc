/** A checkout from an outdated page, and the page of all changes. */
import { eventChanged, pageChanges } from '#messages/records/page-changes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { eventOnSale } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import { closeWindows, newWindow } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`a changed event, ${variant.name}`, async ({ browser, product }) => {
    const site = siteOf(product);
    const event = await eventOnSale(site);
    const page = await newWindow(browser, product, settingsOf(variant));
    await page.goto(`/payment/${event.eventId}`);
    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await editEventOf(site, event, { startDate_startTime: '2031-06-14T20:00', endDate_endTime: '2031-06-14T23:30' });
    await editEventOf(site, event, { street: '178 Bleecker St', city: 'New York', postalCode: '10012' });
    await page.getByRole('button', { name: 'Checkout' }).first().click();
    await expect(page.getByRole('button', { name: eventChanged.goOn })).toBeVisible();
    await take(page, `${variant.name}/event-changed`);
    await page.goto(`/payment/${event.eventId}/changes`);
    await expect(page.getByRole('heading', { name: pageChanges.heading, exact: true })).toBeVisible();
    await take(page, `${variant.name}/changes`);
  });

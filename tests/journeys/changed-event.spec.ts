/** A buyer whose page shows another date than the event has by now, and the page of all changes. */
import type { Page } from '@playwright/test';
import { eventChanged, pageChanges } from '#messages/records/page-changes.ts';
import { changesLink } from '#messages/sales/event-page.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { eventOnSale } from '#tests/support/people.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { expectFits, expectReadable, openPage } from './journey.ts';
import { press } from './keyboard.ts';
import { expect, type Stage, test } from './public-setup.ts';

const FRIDAY = { startDate_startTime: '2031-06-13T20:00', endDate_endTime: '2031-06-13T23:00' };
const SATURDAY = { startDate_startTime: '2031-06-14T20:00', endDate_endTime: '2031-06-14T23:00' };
const MOVED = 'The date has changed: Friday, June 13, 8:00 PM → Saturday, June 14, 8:00 PM.';

const onFriday = ({ site }: Stage) => eventOnSale(site, FRIDAY);
const checkout = (page: Page) => page.getByRole('button', { name: 'Checkout' }).first();
const banner = (page: Page) => page.getByRole('alert').filter({ hasText: eventChanged.title });

for (const width of [320, 1360])
  test.describe(`On a page ${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('a buyer reads that the event moved, and goes on by keyboard [VERS-3]', async ({ page, stage }) => {
      const event = await onFriday(stage);
      await page.goto(`/payment/${event.eventId}`);
      await page.getByRole('button', { name: 'Add to Cart' }).first().click();
      await editEventOf(stage.site, event, SATURDAY);

      await press(page, checkout(page));
      await expect(banner(page)).toContainText(MOVED);
      await expect(page.getByText('Saturday, June 14, 2031').first()).toBeVisible();
      await expectFits(page);
      await expectReadable(page);
      await press(page, page.getByRole('button', { name: eventChanged.goOn }));
      await payWithCard(page, 'sam@example.com');
      await expect(ticketCodes(page)).toHaveCount(1);
    });

    test('*Changes* lists a move and its reversal [VERS-2]', async ({ page, stage }) => {
      const event = await onFriday(stage);
      await page.goto(`/payment/${event.eventId}`);
      await expect(page.getByRole('link', { name: changesLink })).toHaveCount(0);
      await editEventOf(stage.site, event, SATURDAY);
      await editEventOf(stage.site, event, { ...FRIDAY, venueName: 'The Attic', street: '1 Elsewhere' });
      await page.reload();

      await press(page, page.getByRole('link', { name: changesLink }));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(pageChanges.heading);
      const moves = page.getByRole('main').locator('dd').filter({ hasText: 'Friday, June 13' });
      await expect(moves).toHaveCount(2);
      await expect(moves.first()).toContainText('Saturday, June 14, 8:00 PM → Now: Friday, June 13, 8:00 PM');
      await expect(moves.last()).toContainText('Friday, June 13, 8:00 PM → Now: Saturday, June 14, 8:00 PM');
      await expectFits(page);
      await expectReadable(page);
      await press(page, page.getByRole('link', { name: pageChanges.backToEvent }));
      await expect(page).toHaveURL(new RegExp(`/payment/${event.eventId}$`));
    });
  });

test('*Changes* works without a script, and of an unknown event is not found [VERS-2]', async ({
  browser,
  product,
  stage,
}) => {
  const event = await onFriday(stage);
  await editEventOf(stage.site, event, SATURDAY);
  const page = await openPage(browser, product, { javaScriptEnabled: false });

  await page.goto(`/payment/${event.eventId}`);
  await page.getByRole('link', { name: changesLink }).click();
  await expect(page.getByRole('main')).toContainText('Saturday, June 14, 8:00 PM');

  expect((await page.goto('/payment/AAAAAAAAAAAAAAAA/changes'))?.status()).toBe(404);
  await page.context().close();
});

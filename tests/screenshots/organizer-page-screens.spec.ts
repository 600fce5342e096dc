/** The public page of an organization, its settings, and an event with its colors. */
import { createEvent } from '#contract/app/events.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { pageSettings as text } from '#messages/sales/page-settings.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { sendLogo } from '#tests/support/organizer-pages.ts';
import { eventForm, expectOk } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, newWindow, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`the page of an organization, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { visitor } = organizer;
    const venueName = 'The Cooperage';
    const { eventId } = await putOnSale(product, organizer, { venueName });
    const slug = `cooperage-${variant.name}`;
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto('/organization/page');
    await expect(page.getByLabel(text.address)).toBeVisible();
    await take(page, `${variant.name}/page-settings-new`);
    expectOk(
      await visitor.call(editOrganizationPage, { slug, website: 'https://cooperage.example', accent: '#b3261e' }),
    );
    const guest = await newWindow(browser, product, settingsOf(variant));
    expectOk(await uploadPhotos(visitor, eventId, [['brass.png', await posterPhoto('basement-brass-8')]]));
    const [general] = eventForm(siteOf(product)).tickets;
    const second = eventForm(siteOf(product), {
      title: 'Attic Strings: a very long evening of quartets',
      tickets: general ? [{ ...general, ticketQuantity: 6, ticketPrice: 0 }] : [],
    });
    expectOk(await visitor.call(createEvent, second));
    expectOk(await sendLogo(visitor, [await posterPhoto('logo')]));
    await guest.goto(`/o/${slug}`);
    await expect(guest.getByRole('heading', { level: 1 })).toBeVisible();
    await take(guest, `${variant.name}/organizer-page`);
    await guest.goto(`/payment/${eventId}`);
    await take(guest, `${variant.name}/event-with-accent`);
    await page.reload();
    await expect(page.getByRole('link', { name: text.open })).toBeVisible();
    await take(page, `${variant.name}/page-settings`);
    await page.getByLabel(text.accent, { exact: true }).fill('#ffc23c');
    await take(page, `${variant.name}/page-settings-refused`);
    expectOk(await visitor.call(editOrganizationPage, { isPublic: false }));
    const other = await readyOrganizer(product);
    expectOk(await other.visitor.call(editOrganizationPage, { slug: `empty-${variant.name}` }));
    await guest.goto(`/o/empty-${variant.name}`);
    await take(guest, `${variant.name}/organizer-page-empty`);
  });

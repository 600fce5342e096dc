/** The *Overview* of an event: before the first sales, while it sells, on its day, and after it. */
import sharp from 'sharp';
import { checkGuest } from '#contract/app/check-in.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { posterSvg } from '#domain/poster.ts';
import { eventFileTexts } from '#messages/records/event-files.ts';
import { overview as text } from '#messages/records/overview.ts';
import { salesPage } from '#messages/records/sales-report.ts';
import { linksPage } from '#messages/records/tracking-links.ts';
import { shareKit } from '#messages/sales/share-kit.ts';
import { addGuests } from '#tests/support/comps.ts';
import { newLink } from '#tests/support/links.ts';
import { sellAt } from '#tests/support/many-guests.ts';
import { attendantOf, buyTickets, codesOf, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const DAY = 24 * 60 * 60_000;
const SALES = [3, 5, 9, 4, 2, 0, 1, 3, 6, 2, 4, 7, 3, 1, 2, 5, 8, 4];

for (const variant of VARIANTS)
  test(`overview, ${variant.name}`, async ({ browser, product, db }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const event = await putOnSale(product, organizer, {
      startDate_startTime: new Date(Date.now() + 16 * DAY).toISOString(),
      endDate_endTime: new Date(Date.now() + 16 * DAY + 3 * 60 * 60_000).toISOString(),
    });
    const { eventId, attendantCode } = event;
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    const open = async (shown: string) => {
      await page.goto(`/events/${eventId}`);
      await expect(page.getByRole('heading', { name: shown })).toBeVisible();
      await page.evaluate(() => window.scrollTo(0, 100_000));
      await expect
        .poll(() =>
          page.evaluate(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)),
        )
        .toBe(true);
      await page.evaluate(() => window.scrollTo(0, 0));
    };
    await open(shareKit.firstSale);
    await take(page, `${variant.name}/overview-new`);

    const today = Date.now() - 2000;
    await sellAt(
      db,
      eventId,
      SALES.flatMap((sold, index) =>
        Array.from({ length: sold }, (_, one) => new Date(today - (SALES.length - 1 - index) * DAY - one * 1000)),
      ),
    );
    const order = await buyTickets(site, eventId, generalAdmission(3), 'sofia@example.com');
    await buyTickets(site, eventId, [{ ticketName: 'Balcony', quantity: 2 }], 'omar@example.com');
    await addGuests({ visitor: organizer.visitor, eventId }, [{ name: 'Kim Novak', email: 'kim@example.com' }]);
    await site.call(requestRefund, { eventId, confirmationCode: codesOf(order)[2] ?? '' });
    await db
      .insertInto('checkInDevices')
      .values({
        eventId,
        id: crypto.randomUUID(),
        name: 'Gate 2',
        enteredAt: new Date(),
        seenAt: new Date(),
        endsAt: null,
        pending: 3,
        removedAt: null,
      })
      .execute();
    await open(text.paceTitle);
    await take(page, `${variant.name}/overview-selling`);

    const photo = await sharp(Buffer.from(posterSvg('another')), {})
      .resize(1600, 900)
      .webp()
      .toBuffer();
    await uploadPhotos(organizer.visitor, eventId, [['night.webp', photo]]);
    await db
      .updateTable('events')
      .set({ startsAt: new Date(Date.now() - DAY / 24), endsAt: new Date(Date.now() + DAY / 12) })
      .where('id', '=', eventId)
      .execute();
    const door = await attendantOf(site, eventId, attendantCode);
    for (const code of codesOf(order).slice(0, 2)) await door.call(checkGuest, { eventId, confirmationNumber: code });
    await open(text.doorTitle);
    await take(page, `${variant.name}/overview-today`);
    await page.getByText('As a table').first().click();
    await take(page, `${variant.name}/overview-table`);

    await db
      .updateTable('events')
      .set({ endsAt: new Date(Date.now() - 60_000) })
      .where('id', '=', eventId)
      .execute();
    await open(text.recapTitle);
    await take(page, `${variant.name}/overview-over`);
  });

for (const variant of VARIANTS)
  test(`sales and links, ${variant.name}`, async ({ browser, product, db }) => {
    const site = siteOf(product);
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer, {
      startDate_startTime: new Date(Date.now() + 16 * DAY).toISOString(),
      endDate_endTime: new Date(Date.now() + 16 * DAY + 3 * 60 * 60_000).toISOString(),
    });
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto(`/events/${eventId}/sales`);
    await expect(page.getByRole('heading', { name: salesPage.none })).toBeVisible();
    await take(page, `${variant.name}/sales-none`);
    const posterId = await newLink({ ...organizer, eventId }, 'poster', 'Poster at the station');
    await newLink({ ...organizer, eventId }, 'newsletter', 'Newsletter in June');

    const today = Date.now() - 2000;
    await sellAt(
      db,
      eventId,
      SALES.flatMap((sold, index) =>
        Array.from({ length: sold }, (_, one) => new Date(today - (SALES.length - 1 - index) * DAY - one * 1000)),
      ),
    );
    const order = await buyTickets(site, eventId, [{ ticketName: 'Balcony', quantity: 2 }], 'omar@example.com');
    await site.call(requestRefund, { eventId, confirmationCode: codesOf(order)[0] ?? '' });
    await db.updateTable('orders').set({ linkId: posterId }).where('eventId', '=', eventId).execute();

    await page.goto(`/events/${eventId}/sales`);
    await expect(page.getByRole('heading', { name: salesPage.dayTitle })).toBeVisible();
    await take(page, `${variant.name}/sales`);
    await page.goto(`/events/${eventId}/links`);
    await expect(page.getByRole('cell', { name: /Poster at the station/ }).first()).toBeVisible();
    await take(page, `${variant.name}/links`);
    await page.getByRole('button', { name: linksPage.codeNamed('Poster at the station') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await take(page, `${variant.name}/links-code`);
    await page.goto(`/events/${eventId}/money`);
    await expect(page.getByRole('heading', { name: eventFileTexts.names.orders })).toBeVisible();
    await take(page, `${variant.name}/money-files`);
  });

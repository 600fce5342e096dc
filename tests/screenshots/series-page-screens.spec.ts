/** The page of a series, its entry on the organization's page, and the other dates on a date's page. */
import { createEvent } from '#contract/app/events.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { shareKit } from '#messages/sales/share-kit.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { eventForm, expectOk } from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, newWindow, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`the page of a series, ${variant.name}`, async ({ browser, product, db }) => {
    const organizer = await readyOrganizer(product);
    const { visitor } = organizer;
    const slug = `series-${variant.name}`;
    expectOk(await visitor.call(editOrganizationPage, { slug }));
    const { eventId } = await putOnSale(product, organizer, { venueName: 'The Cooperage' });
    expectOk(await visitor.call(createEvent, eventForm(siteOf(product), { title: 'Attic Strings' })));
    const { seriesId, dates } = await weeklySeries({ visitor, eventId }, 11);
    const change = (index: number, columns: object) =>
      db
        .updateTable('events')
        .set(columns)
        .where('id', '=', dates[index] ?? '')
        .execute();
    await change(1, { subtitle: 'With the Brooklyn Strings' });
    await change(2, { cancelledAt: new Date() });
    await change(4, { salesStartAt: new Date(Date.now() + 5 * 24 * 60 * 60 * 1000) });
    const sold = (index: number, left: number) =>
      db
        .updateTable('ticketTypes')
        .set((column) => ({ reserved: column('quantity', '-', left) }))
        .where('eventId', '=', dates[index] ?? '')
        .execute();
    await sold(0, 2);
    await sold(3, 0);
    const guest = await newWindow(browser, product, settingsOf(variant));
    await guest.goto(`/series/${seriesId}`);
    await expect(guest.getByRole('heading', { level: 1 })).toBeVisible();
    await take(guest, `${variant.name}/series`);
    await guest.goto(`/o/${slug}`);
    await take(guest, `${variant.name}/organizer-page-with-series`);
    await guest.goto(`/payment/${dates[5]}`);
    await take(guest, `${variant.name}/event-of-series`);

    expectOk(await visitor.call(editOrganizationPage, { accent: '#b3261e' }));
    expectOk(await uploadPhotos(visitor, eventId, [['brass.png', await posterPhoto('basement-brass-8')]]));
    await change(6, { venueName: 'The Loft' });
    for (const index of dates.keys()) await sold(index, 0);
    await guest.goto(`/series/${seriesId}`);
    await take(guest, `${variant.name}/series-sold-out`);
    for (const index of dates.keys()) {
      const endsAt = new Date(Date.now() - 1000);
      await change(index, { startsAt: endsAt, endsAt });
    }
    await guest.goto(`/series/${seriesId}`);
    await take(guest, `${variant.name}/series-over`);

    const other = await putOnSale(product, organizer);
    await weeklySeries({ visitor, eventId: other.eventId }, 2);
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto(`/events/${other.eventId}`);
    await expect(page.getByText(shareKit.series)).toBeVisible();
    await take(page, `${variant.name}/overview-of-series`);
  });

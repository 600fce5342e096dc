/** A series: adding dates across a clock change, its line at home, and the frame of one date. */
import { randomUUID } from 'node:crypto';
import { editEvent } from '#contract/app/events.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { addDatesText } from '#messages/series/add-dates.ts';
import { datesText } from '#messages/series/series.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { eventForm, expectOk } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import {
  browserOf,
  closeWindows,
  dialogOf,
  openProfile,
  putOnSale,
  readyOrganizer,
} from '../journeys/organizer-page.ts';
import { inWeeks, nightBeforeSkippedHour } from '../journeys/series-dates.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const variant of VARIANTS)
  test(`a series, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { visitor } = organizer;
    const { eventId } = await putOnSale(product, organizer, { title: 'Basement Brass' });
    await putOnSale(product, organizer, { title: 'Roof Swing' });
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    await page.goto(`/events/${eventId}`);
    await page.getByRole('button', { name: addDatesText.title, exact: true }).click();
    const dialog = dialogOf(page, addDatesText.title);
    await expect(dialog.getByRole('row')).toHaveCount(9);
    await take(page, `${variant.name}/add-dates`);
    await dialog.getByRole('button', { name: addDatesText.kinds.monthly }).click();
    await dialog.getByLabel(addDatesText.week).selectOption('5');
    await take(page, `${variant.name}/add-dates-monthly`);
    await page.keyboard.press('Escape');

    const { eventId: draftId } = await newDraft(siteOf(product), organizer, {
      title: 'Night Owls',
      ...nightBeforeSkippedHour(new Date(), 1),
    });
    await page.goto(`/events/${draftId}`);
    await page.getByRole('button', { name: addDatesText.title, exact: true }).click();
    await dialog.getByLabel(addDatesText.count, { exact: true }).fill('3');
    await expect(dialog.getByText(addDatesText.notes['skipped-hour'])).toBeVisible();
    await take(page, `${variant.name}/add-dates-skipped`);
    await page.keyboard.press('Escape');

    const dates = inWeeks(11);
    const { eventIds } = expectOk(await visitor.call(addDates, { eventId, dates, requestId: randomUUID() }));
    const second = eventIds[1] ?? '';
    const form = eventForm(siteOf(product), { title: 'Basement Brass', subtitle: 'With Ana on drums' });
    const [start = ''] = dates.slice(1);
    const at = { startDate_startTime: start, endDate_endTime: start.replace('20:00', '23:00') };
    expectOk(await visitor.call(editEvent, { ...form, ...at, eventId: second }));
    expectOk(await visitor.call(addDates, { eventId: draftId, dates: inWeeks(3), requestId: randomUUID() }));
    await openProfile(page);
    await page.getByRole('button', { name: datesText.open(12, 'Basement Brass') }).click();
    await expect(page.getByText('With Ana on drums')).toBeVisible();
    await take(page, `${variant.name}/home-series`);
    await page.goto(`/events/${second}`);
    await expect(page.getByText(datesText.position(3, 12))).toBeVisible();
    await take(page, `${variant.name}/frame-of-date`);
    await openProfile(page);
    await page.getByRole('article', { name: 'Night Owls' }).getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByRole('button', { name: datesText.publishAll(4) })).toBeVisible();
    await take(page, `${variant.name}/publish-dates`);
  });

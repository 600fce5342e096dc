/** A weekly class of 12 dates over a clock change: set up, sold, one date cancelled, one moved, paid out. On a server of its own. */
import type { Page } from '@playwright/test';
import { cancelEvent } from '#contract/app/events.ts';
import { eventRows } from '#contract/app/records/workspace.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { addDatesText } from '#messages/series/add-dates.ts';
import { datesAdded, datesText } from '#messages/series/series.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { clockOf, setClock } from '#tests/support/move-clock.ts';
import { buyTickets, expectOk, generalAdmission, logInAgain } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, withOwnProduct } from './journey.ts';
import { browserOf, dialogOf, expectToasts, openProfile, press, putOnSale, readyOrganizer } from './organizer-page.ts';
import { weeksBeforeClockChange } from './series-dates.ts';

const test = withOwnProduct();

const ZONE = 'America/New_York';
const HOUR = 3_600_000;
const title = 'Clay on Thursdays';
const PROCESSED = "Payout Processed! Visit 'Stripe Dashboard' on your profile for more information.";

const payoutOf = (page: Page) => page.getByRole('region', { name: `Payout of ${title}` });

test('a weekly class over a clock change is set up, sold, changed and paid out date by date [SERIES-1 SERIES-2 SERIES-3]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  await setClock(product.sandboxUrl, weeksBeforeClockChange());
  await logInAgain(organizer);
  const { visitor } = organizer;
  const day = localTimeOf(new Date(clockOf(product.sandboxUrl).getTime() + 48 * HOUR), ZONE).slice(0, 10);
  const times = { startDate_startTime: `${day}T20:00`, endDate_endTime: `${day}T23:00` };
  const { eventId } = await putOnSale(product, organizer, { title, ...times });
  // The browser's clock says which date is next.
  const open = async () => {
    const opened = await browserOf(organizer, browser, product);
    await opened.clock.setFixedTime(clockOf(product.sandboxUrl));
    return opened;
  };
  const page = await open();

  await page.goto(`/events/${eventId}`);
  await press(page, addDatesText.title);
  const dialog = dialogOf(page, addDatesText.title);
  await dialog.getByLabel(addDatesText.count, { exact: true }).fill('11');
  await expect(dialog.getByRole('cell').filter({ hasText: '8:00 PM – 11:00 PM' })).toHaveCount(11);
  await press(page, addDatesText.add(11));
  await expectToasts(page, [datesAdded(11)]);
  await expect(page.getByText(datesText.position(1, 12))).toBeVisible();
  const [listed] = expectOk(await visitor.call(eventRows, { group: 'upcoming' })).rows;
  const seriesId = listed?.seriesId ?? '';
  const dates = async () => expectOk(await visitor.call(eventRows, { seriesId })).rows;
  const rows = await dates();
  expect(new Set(rows.map(({ startsAt }) => localTimeOf(new Date(startsAt), ZONE).slice(11)))).toEqual(
    new Set(['20:00']),
  );
  expect(new Set(rows.map(({ startsAt }) => startsAt.slice(11))).size).toBe(2);

  const [first = '', second = '', third = ''] = rows.map((row) => row.eventId);
  for (const [date, email] of [
    [first, 'one@example.com'],
    [second, 'two@example.com'],
    [third, 'three@example.com'],
  ] as const)
    await buyTickets(siteOf(product), date, generalAdmission(2), email);
  expectOk(await visitor.call(cancelEvent, { eventId: second }));
  await emailTo(product, 'two@example.com', / on \w+, \w+ \d+ has been cancelled$/);
  const thirdDay = localTimeOf(new Date(Date.parse(rows[2]?.startsAt ?? '') + 24 * HOUR), ZONE).slice(0, 10);
  const moved = { startDate_startTime: `${thirdDay}T19:00`, endDate_endTime: `${thirdDay}T22:00` };
  await editEventOf(siteOf(product), { visitor, eventId: third }, moved);
  await emailTo(product, 'three@example.com', /new date/);
  expect((await dates()).map(({ ticketsSold, status }) => [ticketsSold, status]).slice(0, 4)).toEqual([
    [2, 'on-sale'],
    [expect.any(Number), 'cancelled'],
    [2, 'on-sale'],
    [0, 'on-sale'],
  ]);

  for (const ended of [rows[0]?.endsAt, (await dates())[2]?.endsAt]) {
    await setClock(product.sandboxUrl, new Date(Date.parse(ended ?? '') + 24 * HOUR + 1000));
    await logInAgain(organizer);
    const own = await open();
    await openProfile(own);
    const gets = payoutOf(own).locator('dl > div').filter({ hasText: 'You get' }).locator('dd');
    await expect(gets).toHaveText('$30.54');
    await payoutOf(own).getByRole('button', { name: 'Request Payout', exact: true }).click();
    await expectToasts(own, [PROCESSED]);
    await own.context().close();
  }
  await expect
    .poll(async () => (await dates()).map(({ status }) => status).slice(0, 4))
    .toEqual(['paid-out', 'cancelled', 'paid-out', 'on-sale']);
  expect((await dates()).slice(0, 3).map(({ payout }) => payout)).toEqual([30.54, 0, 30.54]);
});

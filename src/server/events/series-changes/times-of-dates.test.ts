/** Times of the dates of a series that an edit moves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { addDays } from '#domain/sales/sales-days.ts';
import { dayOfClockChange } from '#tests/support/clock-changes.ts';
import {
  denialOf,
  editDates,
  localStarts,
  resultsOf,
  rowOf,
  rowsOf,
  seriesOf,
  weeklyDays,
  ZONE,
} from '#tests/support/edited-series.ts';
import { expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('times of an edit of several dates [SERIES-5]', () => {
  it('stay local across a clock change, and a skipped hour is denied on its date', async () => {
    const sunday = dayOfClockChange(app.now(), 'skipped', 14);
    const days = [addDays(sunday, -7), sunday, addDays(sunday, 7)];
    const series = await seriesOf(app, 3, days);
    const [base = ''] = series.dates;
    const [first = ''] = days;
    expectOk(await editDates(app, series, base, { startDate_startTime: `${first}T19:00` }));
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'updated']);
    expect(await localStarts(app, series)).toEqual(days.map((day) => `${day}T19:00`));

    expectOk(await editDates(app, series, base, { startDate_startTime: `${first}T02:30` }));
    expect(await resultsOf(app, series)).toEqual(['updated', 'denied', 'updated']);
    expect(await denialOf(app, series.dates[1])).toBe('form.invalid');
    expect(await localStarts(app, series)).toEqual([`${first}T02:30`, `${sunday}T19:00`, `${days[2]}T02:30`]);
  });

  it('move each date by the same number of days, with its end, its own duration kept', async () => {
    const days = weeklyDays(app, 3, 2);
    const series = await seriesOf(app, 3, days);
    const [base = '', second = ''] = series.dates;
    const [first = ''] = days;
    const late = instantOf(`${addDays(days[1] ?? '', 1)}T01:00`, ZONE, 'later');
    if (!(late instanceof Date)) throw new Error('no time');
    await app.db.updateTable('events').set({ endsAt: late }).where('id', '=', second).execute();
    const next = addDays(first, 1);
    expectOk(
      await editDates(app, series, base, { startDate_startTime: `${next}T20:00`, endDate_endTime: `${next}T23:00` }),
    );
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'updated']);
    const moved = (await rowsOf(app, series)).map(({ startsAt, endsAt }) =>
      [startsAt, endsAt].map((at) => localTimeOf(at, ZONE)),
    );
    expect(moved).toEqual([
      [`${next}T20:00`, `${next}T23:00`],
      [`${addDays(days[1] ?? '', 1)}T20:00`, `${addDays(days[1] ?? '', 2)}T01:00`],
      [`${addDays(days[2] ?? '', 1)}T20:00`, `${addDays(days[2] ?? '', 1)}T23:00`],
    ]);
  });

  it('of sales and check-in keep their distance in days, and stay where they were not edited', async () => {
    const days = weeklyDays(app, 2, 3);
    const series = await seriesOf(app, 2, days);
    const [base = '', second = ''] = series.dates;
    const [first = '', other = ''] = days;
    expectOk(
      await editDates(app, series, base, { salesStart: `${addDays(first, -5)}T10:00`, checkInOpens: `${first}T18:30` }),
    );
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated']);
    const { salesStartAt, checkInOpensAt, checkInClosesAt } = await rowOf(app, second);
    expect(salesStartAt && localTimeOf(salesStartAt, ZONE)).toBe(`${addDays(other, -5)}T10:00`);
    expect(checkInOpensAt && localTimeOf(checkInOpensAt, ZONE)).toBe(`${other}T18:30`);
    expect(checkInClosesAt).toBeNull();

    expectOk(
      await editDates(app, series, base, {
        timezone: 'America/Chicago',
        startDate_startTime: `${first}T20:00`,
        endDate_endTime: `${first}T23:00`,
        salesStart: `${addDays(first, -5)}T10:00`,
      }),
    );
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated']);
    const moved = await rowOf(app, second);
    expect(localTimeOf(moved.startsAt, 'America/Chicago')).toBe(`${other}T20:00`);
    expect(moved.salesStartAt && localTimeOf(moved.salesStartAt, 'America/Chicago')).toBe(
      `${addDays(other, -5)}T10:00`,
    );
  });
});

/** Dates of series in New York. */
import { addDays } from '#domain/sales/sales-days.ts';
import { dayOfClockChange } from '#tests/support/clock-changes.ts';
import { eveningIn } from '#tests/support/local-days.ts';

const DAY = 24 * 60 * 60 * 1000;

/** At 8:00 PM, once a week from next week on. */
export const inWeeks = (count: number): string[] =>
  Array.from({ length: count }, (_, week) => eveningIn(new Date(), 8 + week * 7).startDate_startTime);

/** Start and end of an event at 2:30 AM, so many weeks before a night in which that time is skipped. */
export function nightBeforeSkippedHour(now: Date, weeks: number) {
  const day = addDays(dayOfClockChange(now, 'skipped', weeks * 7 + 2), weeks * -7);
  return { startDate_startTime: `${day}T02:30`, endDate_endTime: `${day}T05:00` };
}

export const threeWeeksBeforeSkippedHour = (now: Date): Date =>
  new Date(Date.parse(dayOfClockChange(now, 'skipped', 22)) - 21 * DAY);

/** Five weeks before the clocks change next, or now, if that is sooner. */
export function weeksBeforeClockChange(): Date {
  const now = new Date();
  const [change = ''] = (['skipped', 'repeated'] as const).map((hour) => dayOfClockChange(now, hour, 4)).sort();
  return new Date(Math.max(now.getTime(), Date.parse(change) - 35 * DAY));
}

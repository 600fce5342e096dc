/** Dates of series in New York. */
import { instantOf } from '#domain/local-time.ts';
import { addDays, dayOf } from '#domain/sales/sales-days.ts';

const ZONE = 'America/New_York';
const DAY = 24 * 60 * 60 * 1000;

const dayIn = (days: number) => addDays(dayOf(new Date(), ZONE), days);

/** At 8:00 PM, once a week from next week on. */
export const inWeeks = (count: number): string[] =>
  Array.from({ length: count }, (_, week) => `${dayIn(8 + week * 7)}T20:00`);

/** The days until the next night in which the clocks go forward. */
function daysUntilSkippedHour(): number {
  const days = Array.from({ length: 366 }, (_, day) => day + 1);
  return days.find((day) => instantOf(`${dayIn(day)}T02:30`, ZONE, 'earlier') === 'skipped-hour') ?? 1;
}

/** Start and end of an event at 2:30 AM, so many weeks from that night. */
export function nightOfSkippedHour(weeks: number) {
  const day = dayIn(daysUntilSkippedHour() + weeks * 7);
  return { startDate_startTime: `${day}T02:30`, endDate_endTime: `${day}T05:00` };
}

/** Five weeks before the clocks change next, or now, if that is sooner. */
export function weeksBeforeClockChange(): Date {
  const hourOf = (day: number) => Number(instantOf(`${dayIn(day)}T20:00`, ZONE, 'earlier')) % DAY;
  const days = Array.from({ length: 366 }, (_, day) => day + 1);
  const change = days.find((day) => hourOf(day) !== hourOf(day - 1)) ?? 1;
  return new Date(Date.now() + Math.max(0, change - 35) * DAY);
}

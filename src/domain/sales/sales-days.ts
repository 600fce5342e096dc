/** Sales by calendar day. Days are `YYYY-MM-DD` in the event's time zone, so one of 23 or 25 hours is a day like any other. */
import { instantOf, localTimeOf } from '../local-time.ts';

interface SalesDay {
  day: string;
  sold: number;
}

const DAY_MS = 24 * 60 * 60_000;

export const dayOf = (instant: Date, timeZone: string): string => localTimeOf(instant, timeZone).slice(0, 10);

/** The day so many days later, or earlier. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** How many days lie between the two. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

/** Every day from the first with sales to `until`, or to the last with sales. `days` are in order. */
export function withEmptyDays(days: readonly SalesDay[], until: string): SalesDay[] {
  const first = days[0]?.day;
  const last = days.at(-1)?.day;
  if (first === undefined || last === undefined) return [];
  const soldOn = new Map(days.map(({ day, sold }) => [day, sold]));
  const count = daysBetween(first, last > until ? last : until) + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(first, index);
    return { day, sold: soldOn.get(day) ?? 0 };
  });
}

/** The first instant of a day. No US time zone skips midnight. */
export function startOfDay(day: string, timeZone: string): Date {
  const instant = instantOf(`${day}T00:00`, timeZone, 'earlier');
  if (typeof instant === 'string') throw new RangeError(`${day} does not begin at midnight in ${timeZone}`);
  return instant;
}

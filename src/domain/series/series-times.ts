/** Times of the dates of a series: wall time, counted from the day on which a date starts, so that a clock change moves none. */

/** A local time without its zone, as forms have it: `2026-06-12T20:00`. */
type Local = string;

/** A time of day, some days after the day of the start. */
export interface DayTime {
  days: number;
  time: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const dayOf = (local: Local) => Date.parse(`${local.slice(0, 10)}T00:00Z`) / DAY_MS;

export const timeOfDay = (local: Local): string => local.slice(11);

export const daysBetween = (from: Local, to: Local): number => dayOf(to) - dayOf(from);

export const dayTimeOf = (startsAt: Local, local: Local): DayTime => ({
  days: daysBetween(startsAt, local),
  time: timeOfDay(local),
});

/** The inverse of `dayTimeOf`. */
export const localOf = (startsAt: Local, { days, time }: DayTime): Local =>
  `${new Date((dayOf(startsAt) + days) * DAY_MS).toISOString().slice(0, 10)}T${time}`;

/** The date of a copied event: the next one on the original's weekday, at its local time. */
import { localTimeOf } from '#domain/local-time.ts';
import { addDays, dayOf, daysBetween } from '#domain/sales/sales-days.ts';
import { type DatePattern, type DateTimes, planDate } from './recurrence.ts';

/** A week in which a clock change skips the start or the end is passed over. */
export function nextDate(original: DatePattern, now: Date): DateTimes {
  const [day = '', time = ''] = localTimeOf(original.startsAt, original.timezone).split('T');
  // The original's own date is taken, even if it lies ahead.
  const weeks = Math.max(1, Math.floor(daysBetween(day, dayOf(now, original.timezone)) / 7));
  for (let week = weeks; ; week += 1) {
    const { start, startsAt, endsAt } = planDate(`${addDays(day, week * 7)}T${time}`, original);
    if (startsAt && endsAt && startsAt > now) return { start, startsAt, endsAt };
  }
}

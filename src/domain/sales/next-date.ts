/** The date of a copied event: the next one on the original's weekday, at its local time. */
import { instantOf, localTimeOf } from '#domain/local-time.ts';

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;

/** How far the copy's dates are from the original's. A week whose local time is skipped by a clock change is passed over. */
export function msToNextDate({ startsAt, timezone }: { startsAt: Date; timezone: string }, now: Date): number {
  // The original's own date is taken, even if it lies ahead.
  const weeks = Math.max(1, Math.floor((now.getTime() - startsAt.getTime()) / WEEK));
  const [date = '', time = ''] = localTimeOf(startsAt, timezone).split('T');
  for (let week = weeks; ; week += 1) {
    const day = new Date(Date.parse(date) + week * WEEK).toISOString().slice(0, 10);
    const start = instantOf(`${day}T${time}`, timezone, 'earlier');
    if (start instanceof Date && start > now) return start.getTime() - startsAt.getTime();
  }
}

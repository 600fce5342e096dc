import { instantOf } from '#domain/local-time.ts';
import { dayIn } from './local-days.ts';

/** Moments at the ends of days in New York that have 23 and 25 hours. */
export const aroundClockChanges = [
  '2026-03-08T04:59:00Z', // Saturday, 11:59 PM EST
  '2026-03-08T05:00:00Z', // Sunday, 12:00 AM EST
  '2026-03-09T03:59:00Z', // Sunday, 11:59 PM EDT: 23 hours later
  '2026-03-09T04:00:00Z',
  '2026-11-01T04:00:00Z', // Sunday, 12:00 AM EDT
  '2026-11-02T04:59:00Z', // Sunday, 11:59 PM EST: 25 hours later
  '2026-11-02T05:00:00Z',
].map((moment) => new Date(moment));

/** The next day in New York, at least so many days ahead, of whose night an hour is skipped or occurs twice. */
export function dayOfClockChange(from: Date, hour: 'skipped' | 'repeated', days = 2): string {
  for (let ahead = days; ; ahead++) {
    const day = dayIn(from, ahead);
    const [first, second] = (['earlier', 'later'] as const).map((one) =>
      Number(instantOf(`${day}T${hour === 'skipped' ? '02' : '01'}:30`, 'America/New_York', one)),
    );
    if (hour === 'skipped' ? Number.isNaN(first) : first !== second) return day;
  }
}

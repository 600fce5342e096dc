/** Formats times in the event's timezone. */
import { clockTime } from '#web/ui/data/format.ts';

/** `7:02:14 PM` */
export function toTheSecond(instant: number, timeZone: string): string {
  return format(instant, { timeZone, hour: 'numeric', minute: '2-digit', second: '2-digit' });
}

/** `7:02 PM`, or with the day if it differs from that of `now`: `Thu, Jun 11, 7:02 PM`. */
export function shortMoment(instant: number, timeZone: string, now: number): string {
  const time = clockTime(instant, timeZone);
  const day = (moment: number) => format(moment, { timeZone, weekday: 'short', month: 'short', day: 'numeric' });
  return day(instant) === day(now) ? time : `${day(instant)}, ${time}`;
}

/** Replaces the formatter's narrow spaces. */
function format(instant: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', options).format(new Date(instant)).replaceAll('\u202f', ' ');
}

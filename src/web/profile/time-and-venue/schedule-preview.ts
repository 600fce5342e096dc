/** What the times in the event form mean, in words, while they are being typed. */
import { counted } from '#contract/counted.ts';
import { scheduleOf } from '#contract/event-form.ts';
import type { Timezone } from '#contract/timezones.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { formatMoment } from '#web/ui/data/format.ts';

const HOUR = 60 * 60 * 1000;
const MINUTE = 60 * 1000;
/** What most evenings last; the form proposes it as the end. */
const USUAL_LENGTH = 3 * HOUR;

/** Each time as a local one, or as an instant. */
export interface TypedTimes {
  timezone: Timezone;
  start: string;
  end: string;
}

/** `Friday, June 12, 2026 at 8:00 PM EDT — 7:00 PM for you`; `null` while no real time stands there. */
export function spokenTime(time: string, timezone: Timezone, repeated: 'earlier' | 'later', viewerZone: string) {
  const instant = instantOf(time, timezone, repeated);
  if (!(instant instanceof Date)) return null;
  const there = formatMoment(instant, timezone);
  const theirClock = localTimeOf(instant, timezone);
  const viewerClock = localTimeOf(instant, viewerZone);
  if (theirClock === viewerClock) return there;
  const isSameDay = theirClock.slice(0, 10) === viewerClock.slice(0, 10);
  const here = inZone(instant, viewerZone, { hour: 'numeric', minute: '2-digit' });
  const day = isSameDay ? '' : ` on ${inZone(instant, viewerZone, { weekday: 'long' })}`;
  return `${there} — ${here}${day} for you`;
}

/** The first thing that is wrong with the times so far, daylight-saving gaps included; `null` while nothing is. */
export function timeProblem(
  { timezone, start, end }: TypedTimes,
  now: Date,
  rule = { mayStartInPast: false },
): string | null {
  if (!start) return null;
  const times = { timezone, startDate_startTime: start, endDate_endTime: end || start };
  const schedule = scheduleOf(times, now, rule);
  return typeof schedule === 'string' ? schedule : null;
}

/** `3 hr 30 min`, in real hours: a night on which the clocks change is longer or shorter than it looks. */
export function spokenLength({ timezone, start, end }: TypedTimes): string | null {
  const startsAt = instantOf(start, timezone, 'earlier');
  const endsAt = instantOf(end, timezone, 'later');
  if (!(startsAt instanceof Date && endsAt instanceof Date) || endsAt <= startsAt) return null;
  const minutes = Math.round((endsAt.getTime() - startsAt.getTime()) / MINUTE);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  return [days && counted(days, 'day'), hours && `${hours} hr`, rest && `${rest} min`].filter(Boolean).join(' ');
}

export function usualEnd(start: string, timezone: Timezone): string {
  const startsAt = instantOf(start, timezone, 'earlier');
  return startsAt instanceof Date ? localTimeOf(new Date(startsAt.getTime() + USUAL_LENGTH), timezone) : '';
}

export const viewerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const inZone = (instant: Date, timeZone: string, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...style, timeZone }).format(instant).replaceAll('\u202f', ' ');

/** Describes the typed start and end in words. */

import { scheduleOf } from '#contract/forms/event-form.ts';
import type { FormProblem } from '#contract/forms/form-problem.ts';
import type { Timezone } from '#contract/forms/timezones.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';
import { DAYS, plural } from '#messages/format.ts';
import { formatMoment } from '#web/ui/data/format.ts';

const HOUR = 60 * 60 * 1000;
const MINUTE = 60 * 1000;
/** Default length of an event. */
const DEFAULT_DURATION = 3 * HOUR;

/** Each time is a local time or an instant. */
export interface TypedTimes {
  timezone: Timezone;
  start: string;
  end: string;
}

/** `Friday, June 12, 2026 at 8:00 PM EDT (7:00 PM your time)`; `null` while the time is incomplete or invalid. */
export function describeTime(time: string, timezone: Timezone, repeated: 'earlier' | 'later', viewerZone: string) {
  const instant = instantOf(time, timezone, repeated);
  if (!(instant instanceof Date)) return null;
  const there = formatMoment(instant, timezone);
  const theirClock = localTimeOf(instant, timezone);
  const viewerClock = localTimeOf(instant, viewerZone);
  if (theirClock === viewerClock) return there;
  const isSameDay = theirClock.slice(0, 10) === viewerClock.slice(0, 10);
  const here = inZone(instant, viewerZone, { hour: 'numeric', minute: '2-digit' });
  const day = isSameDay ? '' : `${inZone(instant, viewerZone, { weekday: 'short' })} `;
  return `${there} (${day}${here} your time)`;
}

/** The first problem with the times, including daylight-saving gaps; `null` if there is none. */
export function timeProblem(
  { timezone, start, end }: TypedTimes,
  now: Date,
  rule = { mayStartInPast: false },
): FormProblem | null {
  if (!start) return null;
  const times = { timezone, startDate_startTime: start, endDate_endTime: end || start };
  const schedule = scheduleOf(times, now, rule);
  return 'reason' in schedule ? schedule : null;
}

/** `3 hr 30 min` in real hours, which differ from the clock on the night it changes. */
export function describeDuration({ timezone, start, end }: TypedTimes): string | null {
  const startsAt = instantOf(start, timezone, 'earlier');
  const endsAt = instantOf(end, timezone, 'later');
  if (!(startsAt instanceof Date && endsAt instanceof Date) || endsAt <= startsAt) return null;
  const minutes = Math.round((endsAt.getTime() - startsAt.getTime()) / MINUTE);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  return [days && plural(days, DAYS), hours && `${hours} hr`, rest && `${rest} min`].filter(Boolean).join(' ');
}

export function defaultEnd(start: string, timezone: Timezone): string {
  const startsAt = instantOf(start, timezone, 'earlier');
  return startsAt instanceof Date ? localTimeOf(new Date(startsAt.getTime() + DEFAULT_DURATION), timezone) : '';
}

export const viewerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const inZone = (instant: Date, timeZone: string, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...style, timeZone }).format(instant).replaceAll('\u202f', ' ');

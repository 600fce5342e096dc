/**
 * Which instant a wall clock means. Organizers write `2026-06-12T20:00` in the event's time zone;
 * the product keeps instants. Two readings a year need care: the hour that daylight saving skips,
 * and the hour that it repeats.
 */

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2})?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const MINUTE = 60_000;

export type UnreadableTime = 'malformed' | 'skipped-hour';

/**
 * Reads a local time in `timeZone`, or an instant with its own offset.
 * A repeated hour is read as its earlier or later pass, as the caller says.
 */
export function instantOf(text: string, timeZone: string, repeated: 'earlier' | 'later'): Date | UnreadableTime {
  if (INSTANT.test(text)) {
    const instant = new Date(text);
    return Number.isNaN(instant.getTime()) ? 'malformed' : instant;
  }

  const parts = LOCAL.exec(text)?.slice(1).map(Number);
  if (!parts) return 'malformed';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts;
  const asUtc = new Date(Date.UTC(year, month - 1, day, hour, minute));
  // A day that does not exist rolls over into another month, an hour or a minute into another hour.
  const isReal = asUtc.getUTCMonth() === month - 1 && asUtc.getUTCHours() === hour;
  if (!isReal) return 'malformed';

  return pickPass(passesOf(asUtc, timeZone), repeated);
}

/** The local wall clock of an instant, as `YYYY-MM-DDTHH:mm`, the inverse of `instantOf`. */
export function localTimeOf(instant: Date, timeZone: string): string {
  const shifted = new Date(instant.getTime() + offsetMinutes(instant, timeZone) * MINUTE);
  return shifted.toISOString().slice(0, 16);
}

/** The same with the distance to UTC, as machines read it: `2026-06-12T20:00:00-04:00`. */
export function localTimeWithOffset(instant: Date, timeZone: string): string {
  const offset = offsetMinutes(instant, timeZone);
  const clock = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const distance = clock.map((part) => String(part).padStart(2, '0')).join(':');
  return `${localTimeOf(instant, timeZone)}:00${offset < 0 ? '-' : '+'}${distance}`;
}

/**
 * Every instant at which a clock in `timeZone` shows the time that `asUtc` shows in UTC: none, one or two, the earlier first.
 * Two come only where the offset falls, so the offset of the day before gives the earlier one.
 */
function passesOf(asUtc: Date, timeZone: string): Date[] {
  const dayMs = 24 * 60 * MINUTE;
  const offsets = [-dayMs, dayMs].map((ms) => offsetMinutes(new Date(asUtc.getTime() + ms), timeZone));
  return [...new Set(offsets)]
    .map((offset) => new Date(asUtc.getTime() - offset * MINUTE))
    .filter((instant) => instant.getTime() + offsetMinutes(instant, timeZone) * MINUTE === asUtc.getTime());
}

function pickPass(passes: Date[], repeated: 'earlier' | 'later'): Date | UnreadableTime {
  return (repeated === 'earlier' ? passes.at(0) : passes.at(-1)) ?? 'skipped-hour';
}

function offsetMinutes(instant: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(instant);
  const values = new Map<string, string>(parts.map(({ type, value }) => [type, value]));
  const part = (type: string) => Number(values.get(type));
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  const minuteStart = Math.floor(instant.getTime() / MINUTE) * MINUTE;
  return Math.round((shown - minuteStart) / MINUTE);
}

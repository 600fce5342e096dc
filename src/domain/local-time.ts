/**
 * Converts between local times and instants. Organizers enter `2026-06-12T20:00` in the event's time zone; the product
 * stores instants. Daylight saving skips one hour a year and repeats another.
 */

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::\d{2})?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const MINUTE = 60_000;

export type TimeDenial = 'malformed' | 'skipped-hour';

/**
 * Parses a local time in `timeZone`, or an instant with its own offset. `repeated` picks the instant in the hour that
 * occurs twice.
 */
export function instantOf(text: string, timeZone: string, repeated: 'earlier' | 'later'): Date | TimeDenial {
  if (INSTANT.test(text)) {
    const instant = new Date(text);
    return Number.isNaN(instant.getTime()) ? 'malformed' : instant;
  }

  const parts = LOCAL.exec(text)?.slice(1).map(Number);
  if (!parts) return 'malformed';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts;
  const asUtc = new Date(Date.UTC(year, month - 1, day, hour, minute));
  // `Date` rolls a nonexistent day over into the next month, and a nonexistent minute into the next hour.
  const isReal = asUtc.getUTCMonth() === month - 1 && asUtc.getUTCHours() === hour;
  if (!isReal) return 'malformed';

  const instants = matchingInstants(asUtc, timeZone);
  return (repeated === 'earlier' ? instants.at(0) : instants.at(-1)) ?? 'skipped-hour';
}

/** The inverse of `instantOf`, as `YYYY-MM-DDTHH:mm`. */
export function localTimeOf(instant: Date, timeZone: string): string {
  const shifted = new Date(instant.getTime() + offsetMinutes(instant, timeZone) * MINUTE);
  return shifted.toISOString().slice(0, 16);
}

/** With seconds and UTC offset: `2026-06-12T20:00:00-04:00`. */
export function localTimeWithOffset(instant: Date, timeZone: string): string {
  const offset = offsetMinutes(instant, timeZone);
  const hoursAndMinutes = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const digits = hoursAndMinutes.map((part) => String(part).padStart(2, '0')).join(':');
  return `${localTimeOf(instant, timeZone)}:00${offset < 0 ? '-' : '+'}${digits}`;
}

/**
 * The instants whose local time in `timeZone` equals the UTC time of `asUtc`: none, one or two, in order. Two exist only
 * where the offset decreases, so the offset of the previous day yields the earlier one.
 */
function matchingInstants(asUtc: Date, timeZone: string): Date[] {
  const dayMs = 24 * 60 * MINUTE;
  const offsets = [-dayMs, dayMs].map((ms) => offsetMinutes(new Date(asUtc.getTime() + ms), timeZone));
  return [...new Set(offsets)]
    .map((offset) => new Date(asUtc.getTime() - offset * MINUTE))
    .filter((instant) => instant.getTime() + offsetMinutes(instant, timeZone) * MINUTE === asUtc.getTime());
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

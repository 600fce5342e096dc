/**
 * Dates of a series. Everything is calculated in the local time of the event's zone, so that a weekly 8:00 PM stays one across
 * clock changes.
 */
import { COMING_DATES_MAX, DATE_DAYS_AHEAD_MAX, DATES_PER_CALL_MAX } from '#domain/limits.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Sunday is 0. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** Of a month: the first to the fifth of a weekday, or its last. */
export type WeekOfMonth = 1 | 2 | 3 | 4 | 5 | 'last';

export type Rule =
  | { kind: 'weekly'; everyWeeks: number; weekdays: readonly Weekday[] }
  | { kind: 'monthly'; week: WeekOfMonth; weekday: Weekday };

/** `until` is the last possible day. */
export type RuleEnd = { count: number } | { until: string };

export interface RuleDays {
  /** `YYYY-MM-DD`, in order. One more than can be added, where the rule makes too many. */
  days: string[];
  /** Months, as `YYYY-MM`, that have no such day. */
  missing: string[];
}

/** The days of a rule from `first` on, a `YYYY-MM-DD`. Weeks are counted from the one of `first`, which begins on Sunday. */
export function daysOf(rule: Rule, first: string, end: RuleEnd): RuleDays {
  const found: RuleDays = { days: [], missing: [] };
  const start = Date.parse(first);
  if (Number.isNaN(start)) return found;
  const max = 'count' in end ? Math.min(end.count, DATES_PER_CALL_MAX + 1) : DATES_PER_CALL_MAX + 1;
  // The longest rule: all dates that can be added, a year apart.
  const last = 'until' in end ? Date.parse(end.until) : start + (DATES_PER_CALL_MAX + 1) * 53 * 7 * DAY;
  if (Number.isNaN(last)) return found;
  for (const { day, month } of rule.kind === 'weekly' ? weekly(rule, start, last) : monthly(rule, start, last)) {
    if (found.days.length >= max) break;
    if (day === null) found.missing.push(month);
    else if (day >= start && day <= last) found.days.push(dayOf(day));
  }
  return found;
}

interface Found {
  /** Null where the month has none. */
  day: number | null;
  month: string;
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7);

function* weekly({ everyWeeks, weekdays }: Extract<Rule, { kind: 'weekly' }>, start: number, last: number) {
  const step = Math.max(1, Math.floor(everyWeeks) || 1) * 7 * DAY;
  const days = [...new Set(weekdays)].sort((one, other) => one - other);
  if (days.length === 0) return;
  const sunday = start - new Date(start).getUTCDay() * DAY;
  for (let week = sunday; week <= last; week += step)
    for (const weekday of days) yield { day: week + weekday * DAY, month: '' } satisfies Found;
}

function* monthly({ week, weekday }: Extract<Rule, { kind: 'monthly' }>, start: number, last: number) {
  const first = new Date(start);
  for (let index = 0; ; index += 1) {
    const month = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index, 1);
    if (month > last) return;
    const day = week === 'last' ? lastOf(month, weekday) : nthOf(month, weekday, week);
    yield { day, month: monthOf(month) } satisfies Found;
  }
}

function nthOf(month: number, weekday: Weekday, week: number): number | null {
  const toFirst = (weekday - new Date(month).getUTCDay() + 7) % 7;
  const day = month + (toFirst + (week - 1) * 7) * DAY;
  return monthOf(day) === monthOf(month) ? day : null;
}

const lastOf = (month: number, weekday: Weekday): number | null => nthOf(month, weekday, 5) ?? nthOf(month, weekday, 4);

/** Why a date can't be added. */
export const DATE_DENIALS = ['malformed', 'skipped-hour', 'end-skipped', 'in-past', 'too-far', 'date-twice'] as const;

export type DateDenial = (typeof DATE_DENIALS)[number];

export interface DatePattern {
  startsAt: Date;
  endsAt: Date;
  timezone: string;
}

/** When a date takes place. Its local start says by how much its other times move. */
export interface DateTimes {
  start: string;
  startsAt: Date;
  endsAt: Date;
}

export interface PlannedDate {
  /** As it was asked for: `YYYY-MM-DDTHH:mm`. */
  start: string;
  startsAt: Date | null;
  endsAt: Date | null;
  denial: DateDenial | null;
  /** The start or the end is in the hour that occurs twice: the earlier start, the later end. */
  isInDoubledHour: boolean;
}

export interface DatesBefore {
  now: Date;
  /** Starts of the dates that the series has, without cancelled ones. */
  taken: readonly Date[];
}

/** What each of the starts becomes, as long as the pattern by the clock on the wall. */
export function planDates(
  starts: readonly string[],
  pattern: DatePattern,
  { now, taken }: DatesBefore,
): readonly PlannedDate[] {
  const all = new Set(taken.map((time) => time.getTime()));
  const farthest = now.getTime() + DATE_DAYS_AHEAD_MAX * DAY;
  return starts.map((start) => {
    const planned = planDate(start, pattern);
    const { startsAt } = planned;
    if (planned.denial || !startsAt) return planned;
    if (startsAt <= now) return { ...planned, denial: 'in-past' };
    if (startsAt.getTime() > farthest) return { ...planned, denial: 'too-far' };
    if (all.has(startsAt.getTime())) return { ...planned, denial: 'date-twice' };
    all.add(startsAt.getTime());
    return planned;
  });
}

export function planDate(start: string, pattern: DatePattern): PlannedDate {
  const { timezone } = pattern;
  const denied = (denial: DateDenial): PlannedDate => ({
    start,
    startsAt: null,
    endsAt: null,
    denial,
    isInDoubledHour: false,
  });
  if (!LOCAL.test(start)) return denied('malformed');
  const startsAt = instantOf(start, timezone, 'earlier');
  if (!(startsAt instanceof Date)) return denied(startsAt);
  const end = onClock(pattern.endsAt, timezone, clockShift(pattern, start));
  const endsAt = instantOf(end, timezone, 'later');
  if (!(endsAt instanceof Date)) return denied('end-skipped');
  const isDoubled = (local: string, instant: Date, repeated: 'earlier' | 'later') =>
    Number(instantOf(local, timezone, repeated)) !== Number(instant);
  const isInDoubledHour = isDoubled(start, startsAt, 'later') || isDoubled(end, endsAt, 'earlier');
  return { start, startsAt, endsAt, denial: null, isInDoubledHour };
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** From the pattern's start to the new one, by the clock on the wall. */
const clockShift = ({ startsAt, timezone }: DatePattern, start: string): number =>
  asUtc(start) - asUtc(localTimeOf(startsAt, timezone));

const asUtc = (local: string) => Date.parse(`${local}Z`);

const onClock = (time: Date, timezone: string, ms: number) =>
  new Date(asUtc(localTimeOf(time, timezone)) + ms).toISOString().slice(0, 16);

/**
 * Moves other times of an event to a date of it, by the clock on the wall. What falls into a skipped hour is an hour later.
 */
export function movedToDate<Time extends Date | null>(time: Time, pattern: DatePattern, start: string): Time;
export function movedToDate(time: Date | null, pattern: DatePattern, start: string): Date | null {
  if (time === null) return null;
  const { timezone } = pattern;
  const moved = onClock(time, timezone, clockShift(pattern, start));
  const instant = instantOf(moved, timezone, 'earlier');
  if (instant instanceof Date) return instant;
  const next = instantOf(new Date(asUtc(moved) + HOUR).toISOString().slice(0, 16), timezone, 'earlier');
  return next instanceof Date ? next : time;
}

export type DatesDenial = 'too-many-dates' | 'too-many-coming';

export function denyCount(added: number, coming: number): DatesDenial | null {
  if (added > DATES_PER_CALL_MAX) return 'too-many-dates';
  return coming + added > COMING_DATES_MAX ? 'too-many-coming' : null;
}

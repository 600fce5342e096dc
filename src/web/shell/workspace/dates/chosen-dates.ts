/** What an organizer chose in *Add dates*: a rule or a list of days, and what becomes of single dates. */
import { DATES_PER_CALL_MAX } from '#domain/limits.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { daysOf, type Rule, type RuleEnd, type Weekday, type WeekOfMonth } from '#domain/series/recurrence.ts';

export interface DatesChoice {
  kind: 'weekly' | 'monthly' | 'picked';
  everyWeeks: string;
  weekdays: readonly Weekday[];
  week: WeekOfMonth;
  weekday: Weekday;
  /** The first possible day. */
  first: string;
  ends: 'count' | 'until';
  count: string;
  until: string;
  /** Days, for a choice without a rule. */
  picked: readonly string[];
  /** By the day: another time, or null for a date that was dropped. */
  changes: Readonly<Record<string, string | null>>;
}

export interface FirstDate {
  startsAt: string;
  timezone: string;
}

const DAY = 24 * 60 * 60 * 1000;

const weekdayOf = (day: number) => new Date(day).getUTCDay() as Weekday;

/** A week after the event, or on its next weekday if that is over. */
export function proposedDates({ startsAt, timezone }: FirstDate, now: Date): DatesChoice {
  const [ownDay = ''] = localTimeOf(new Date(startsAt), timezone).split('T');
  const own = Date.parse(ownDay);
  const today = Date.parse(localTimeOf(now, timezone).slice(0, 10));
  const weeks = Math.max(1, Math.ceil((today + DAY - own) / (7 * DAY)));
  const week = Math.ceil(new Date(own).getUTCDate() / 7);
  const first = new Date(own + weeks * 7 * DAY).toISOString().slice(0, 10);
  return {
    kind: 'weekly',
    everyWeeks: '1',
    weekdays: [weekdayOf(own)],
    week: week === 5 ? 'last' : (week as WeekOfMonth),
    weekday: weekdayOf(own),
    first,
    ends: 'count',
    count: '8',
    until: new Date(own + (weeks + 7) * 7 * DAY).toISOString().slice(0, 10),
    picked: [],
    changes: {},
  };
}

export interface ChosenDates {
  /** Local starts in order, without dropped ones. */
  starts: { day: string; start: string; isChanged: boolean }[];
  /** Months without such a day, as `YYYY-MM`. */
  missing: string[];
}

export function chosenDates(choice: DatesChoice, { startsAt, timezone }: FirstDate): ChosenDates {
  const [, ownTime = ''] = localTimeOf(new Date(startsAt), timezone).split('T');
  const { days, missing } =
    choice.kind === 'picked'
      ? { days: choice.picked.toSorted(), missing: [] }
      : daysOf(ruleOf(choice), choice.first, endOf(choice));
  const starts = days.flatMap((day) => {
    const change = choice.changes[day];
    return change === null ? [] : [{ day, start: `${day}T${change ?? ownTime}`, isChanged: change !== undefined }];
  });
  return { starts, missing };
}

const ruleOf = ({ kind, everyWeeks, weekdays, week, weekday }: DatesChoice): Rule =>
  kind === 'monthly' ? { kind, week, weekday } : { kind: 'weekly', everyWeeks: Number(everyWeeks), weekdays };

const endOf = ({ ends, count, until }: DatesChoice): RuleEnd =>
  ends === 'until'
    ? { until }
    : { count: Math.min(Math.max(0, Math.floor(Number(count)) || 0), DATES_PER_CALL_MAX + 1) };

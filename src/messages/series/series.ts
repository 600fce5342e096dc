/** Series of dates. */
import { COMING_DATES_MAX, DATE_DAYS_AHEAD_MAX, DATES_PER_CALL_MAX } from '#domain/limits.ts';
import type { DateDenial, Weekday, WeekOfMonth } from '#domain/series/recurrence.ts';
import { DATES, plural } from '#messages/format.ts';

export const seriesFields = {
  subtitle: 'Subtitle',
  subtitleHint: 'Optional. Tells this date from the others of the series.',
};

/** `Clay on Thursday, June 12`, of one date of a series. */
export const onDay = (title: string, startsAt: Date, timeZone: string): string =>
  `${title} on ${startsAt.toLocaleDateString('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' })}`;

/** `March 14, 2:30 AM`, of a time in the event's zone, which may not exist there. */
function dateAndTime(local: string): string {
  const time = new Date(`${local}Z`);
  if (Number.isNaN(time.getTime())) return local;
  return time.toLocaleString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}

/** The event's start by its own clock, such as `2027-03-14T02:30`. */
interface OfDate {
  start: string;
}

export const seriesErrors = {
  'series.cancelled': "This date is cancelled. Add dates to one that isn't.",
  'series.date-twice': ({ start }: OfDate) => `${dateAndTime(start)} is there twice`,
  'series.end-skipped': ({ start }: OfDate) =>
    `The event of ${dateAndTime(start)} would end at a time that does not exist: the clocks go forward then`,
  'series.in-past': ({ start }: OfDate) => `${dateAndTime(start)} is in the past`,
  'series.malformed': ({ start }: OfDate) => `${start} is not a date and time`,
  'series.too-far': ({ start }: OfDate) => `${dateAndTime(start)} is more than ${DATE_DAYS_AHEAD_MAX} days ahead`,
  'series.too-many-coming': `A series has at most ${COMING_DATES_MAX} coming dates`,
  'series.too-many-dates': `Add at most ${DATES_PER_CALL_MAX} dates at once`,
  'time.skipped-hour': ({ start }: OfDate) => `${dateAndTime(start)} does not exist: the clocks go forward then`,
};

export const datesAdded = (dates: number): string => `${plural(dates, DATES)} added`;

const NOTES: Record<DateDenial, string> = {
  malformed: 'Choose a time',
  'skipped-hour': 'The clocks go forward: choose another time',
  'end-skipped': 'It would end when the clocks go forward: choose another time',
  'in-past': 'In the past',
  'too-far': `More than ${DATE_DAYS_AHEAD_MAX} days ahead`,
  'date-twice': 'The series has this date already',
};

const WEEKS = ['', 'first', 'second', 'third', 'fourth', 'fifth'] as const;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const weekName = (week: WeekOfMonth): string => (week === 'last' ? 'last' : WEEKS[week]);

export const addDatesText = {
  title: 'Add dates',
  lead: (title: string) => `Each date is an event like ${title}, with its own tickets, guests and payout.`,
  kind: 'How often',
  kinds: { weekly: 'Weekly', monthly: 'Monthly', picked: 'Pick dates' },
  repeat: 'Repeat',
  repeats: Array.from({ length: 8 }, (_, index) => ({
    value: String(index + 1),
    label: plural(index + 1, { one: 'Every week', other: 'Every # weeks' }),
  })),
  weekdays: 'On',
  weekdayNames: WEEKDAYS,
  week: 'Week of the month',
  weekNames: ([1, 2, 3, 4, 5, 'last'] as const).map((week) => ({
    value: String(week),
    label: `The ${weekName(week)}`,
  })),
  weekday: 'Day of the week',
  first: 'Starting on',
  ends: 'Until',
  endKinds: { count: 'A number of dates', until: 'A day' },
  count: 'Dates',
  until: 'Last day',
  day: 'Date',
  pick: 'Add this date',
  preview: 'Preview',
  date: 'Date',
  time: 'Time',
  note: 'Note',
  dropColumn: 'Drop',
  drop: (date: string) => `Drop ${date}`,
  timeOn: (date: string) => `Time on ${date}`,
  doubled: 'The clocks go back: the earlier start, the later end',
  notes: NOTES,
  missing: (week: WeekOfMonth, weekday: Weekday, months: readonly string[]) =>
    `There is no ${weekName(week)} ${WEEKDAYS[weekday]} in ${months.map(monthName).join(', ')}.`,
  none: 'No dates yet.',
  total: (dates: number) =>
    dates === 1
      ? '1 date, its own event with its own payout'
      : `${dates} dates, each its own event with its own payout`,
  denied: (dates: number) =>
    plural(dates, {
      one: "# date can't be added. Change or drop it.",
      other: "# dates can't be added. Change or drop them.",
    }),
  published: 'They are public as soon as you add them.',
  drafts: 'They are drafts, like this event.',
  add: (dates: number) => `Add ${plural(dates, DATES)}`,
  cancel: 'Cancel',
};

const monthName = (month: string): string =>
  new Date(`${month}-01T00:00Z`).toLocaleString('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' });

export const datesText = {
  count: (dates: number) => plural(dates, DATES),
  open: (dates: number, title: string) => `${plural(dates, DATES)} of ${title}`,
  title: (title: string) => `Dates of ${title}`,
  position: (position: number, dates: number) => `Date ${position} of ${dates}`,
  previous: 'Previous date',
  next: 'Next date',
  all: 'All dates',
  notLoaded: "We couldn't load the dates.",
  more: 'Show more dates',
  publishAll: (drafts: number) => `Publish all ${drafts} draft dates`,
  publishOne: 'Publish this date',
  publishMeans: (drafts: number) =>
    `The series has ${plural(drafts, { one: '# draft date', other: '# draft dates' })}.`,
  allPublished: 'The dates are published',
};

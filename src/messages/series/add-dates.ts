/** The dialog that adds dates to a series. */
import { DATE_DAYS_AHEAD_MAX } from '#domain/limits.ts';
import type { DateDenial, Weekday, WeekOfMonth } from '#domain/series/recurrence.ts';
import { DATES, plural } from '#messages/format.ts';
import { addDatesTitle } from './series.ts';

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
  title: addDatesTitle,
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

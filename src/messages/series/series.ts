/** Series of dates. */
import { COMING_DATES_MAX, DATE_DAYS_AHEAD_MAX, DATES_PER_CALL_MAX } from '#domain/limits.ts';
import { DATES, plural } from '#messages/format.ts';

export const seriesFields = {
  titleHint: 'The other coming dates get it too.',
  titleHintOfDraft: 'The other coming dates get it once this draft is published.',
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

export const addDatesTitle = 'Add dates';

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

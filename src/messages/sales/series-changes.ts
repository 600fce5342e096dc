/** Changes of several dates of a series at once. */
import type { AnnouncedChange } from '#domain/event-schedule.ts';
import { BUYERS, DATES, plural } from '#messages/format.ts';

const news: Record<AnnouncedChange, string> = {
  date: 'time',
  venue: 'location',
  'date-and-venue': 'time and location',
};

export const seriesChangeErrors = {
  /** Not saved yet: the organizer confirms it first. */
  'series-change.emails-buyers': ({
    buyers,
    dates,
    about,
  }: {
    buyers: number;
    dates: number;
    about: AnnouncedChange;
  }) => `Saving emails ${plural(buyers, BUYERS)} of ${plural(dates, DATES)} about the new ${news[about]}.`,
  'series-change.running': 'An earlier change of these dates is still being carried out. Try again in a moment.',
  'series-change.type-missing': ({ name }: { name: string }) => `This date has no ticket type named ${name}.`,
  'series-change.date-not-given': "You don't have access to this date.",
  'series-change.nothing-to-cancel': 'There are no coming dates to cancel.',
};

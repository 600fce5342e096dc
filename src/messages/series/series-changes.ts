/** Changes of several dates of a series at once. */

import type { SeriesDate, seriesToCancel } from '#contract/app/sales/series-changes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { AnnouncedChange } from '#domain/event-schedule.ts';
import { BUYERS, DATES, formatCount, formatDollars, plural, TICKETS } from '#messages/format.ts';

type SeriesToCancel = ReplyOf<typeof seriesToCancel>;

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
  'series-change.no-series': 'This event has no other dates.',
  'series-change.nothing-to-cancel': 'There are no coming dates to cancel.',
};

/** Next to *Save Changes*, for a date with other coming dates. */
export const seriesScope = {
  legend: 'Save changes to',
  own: 'This date',
  later: (dates: number) => `This and later dates (${formatCount(dates)})`,
  all: (dates: number) => `All coming dates (${formatCount(dates)})`,
  hint: 'The other dates change only where you change something here. A new title goes to all coming dates, a subtitle stays with this one.',
};

export const seriesDates = {
  lead: 'Each date is an event of its own, with its own tickets, orders and payout.',
  coming: 'Coming dates',
  none: 'No coming dates.',
  date: 'Date',
  sold: 'Sold',
  result: 'Last change',
  draft: 'Draft',
  states: {
    waiting: 'Waiting',
    updated: 'Updated',
    unchanged: 'No change',
    cancelled: 'Cancelled',
    denied: 'Not changed',
  } satisfies Record<Exclude<SeriesDate['result'], null>['state'], string>,
  running: (done: number, dates: number) =>
    `${formatCount(done)} of ${plural(dates, DATES)} done. You can leave this page.`,
  done: (dates: number, denied: number) =>
    denied === 0
      ? `Last change: done for ${plural(dates, DATES)}.`
      : `Last change: done for ${formatCount(dates - denied)} of ${plural(dates, DATES)}. See below why the rest stayed as it was.`,
  saved: 'Your changes, date by date',
  changed: 'Changed dates',
  see: 'See all dates',
  notLoaded: "We couldn't load the dates.",
  cancel: 'Cancel all coming dates',
  typeTitle: 'Type the title to confirm',
  keep: 'Keep the dates',
  cancelling: (dates: number) => `Cancelling ${plural(dates, DATES)}.`,
  refunds: ({ dates, ticketsSold, freeTickets, gross }: Omit<SeriesToCancel, 'title' | 'cancelCosts'>) => {
    const all = plural(dates, DATES);
    const paid = plural(ticketsSold - freeTickets, TICKETS);
    if (ticketsSold === 0) return `${all}. No tickets sold, so there's nothing to refund.`;
    const refunds = `We'll refund ${formatDollars(gross)} for ${paid}.`;
    const free = freeTickets === 0 ? '' : ` ${plural(freeTickets, FREE_TICKETS_END)}.`;
    return `${all}. ${ticketsSold === freeTickets ? "There's nothing to refund." : refunds}${free}`;
  },
  salesStop: "Sales stop right away and each date's page says it's cancelled.",
  othersStay: 'Past dates, and those that were paid out, stay as they are.',
  onlyThisDate: 'Only this date is cancelled. The other dates of the series go on.',
};

const FREE_TICKETS_END = { one: '# free ticket ends', other: '# free tickets end' };

/** The organizer's home and the frame around every screen of an event. */
import type { EventGroup, EventStatus } from '#domain/sales/event-status.ts';
import { formatCount, plural } from '../format.ts';
import { salesPaused } from '../sales/event-page.ts';

export const eventStatusNames = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  'on-sale': 'On sale',
  'sold-out': 'Sold out',
  paused: salesPaused,
  today: 'Today',
  ended: 'Ended',
  'paid-out': 'Paid out',
  cancelled: 'Cancelled',
} satisfies Record<EventStatus, string>;

export const eventTabs = {
  overview: 'Overview',
  dates: 'Dates',
  guests: 'Guests',
  orders: 'Orders',
  tickets: 'Tickets',
  page: 'Page',
  door: 'Door',
  money: 'Money',
};

export type EventTabName = keyof typeof eventTabs;

export const eventFrameText = {
  home: 'Your events',
  /** Of the links to the screens of one event. */
  tabs: (title: string) => `Screens of ${title}`,
  view: 'View page',
  preview: 'Preview',
  draft: 'This is a draft. Only your team sees it until you publish it.',
  copy: 'Copy link',
  unknown: "We can't find this event in your account.",
};

/** Buttons of emails to a team. */
export const emailLinks = {
  home: 'Open your profile',
  event: 'Open the event',
  money: "See the event's money",
  dispute: 'See the dispute',
};

export const eventList = {
  next: 'Next up',
  title: 'All events',
  groups: { upcoming: 'Upcoming', drafts: 'Drafts', past: 'Past', cancelled: 'Cancelled' } satisfies Record<
    EventGroup,
    string
  >,
  /** The count is part of the button's name. */
  group: (label: string, count: number) => `${label} ${formatCount(count)}`,
  search: 'Search events',
  none: {
    upcoming: 'No upcoming events.',
    drafts: 'No drafts.',
    past: 'No past events.',
    cancelled: 'No cancelled events.',
  } satisfies Record<EventGroup, string>,
  noHit: (q: string) => `No event matches “${q}”.`,
  sold: (sold: number, offered: number) => `${formatCount(sold)}/${formatCount(offered)}`,
  soldLabel: (sold: number, offered: number) => `${formatCount(sold)} of ${formatCount(offered)} tickets sold`,
  open: 'Open',
  gets: "You'd get",
  show: 'Show Details',
  hide: 'Hide Details',
  detailsOf: (isOpen: boolean, title: string) => `${isOpen ? 'Hide' : 'Show'} Details of ${title}`,
  more: 'Show more events',
  notLoaded: "We couldn't load your events.",
};

export const palette = {
  open: 'Find',
  title: 'Find an event or a screen',
  label: 'Event or screen',
  hint: 'Part of the title',
  none: 'Nothing found.',
  found: (count: number) => plural(count, { one: '# result', other: '# results' }),
  failed: "We couldn't search your events.",
};

export const moneyTab = {
  title: 'Money',
  gets: "You'll get",
  got: 'You got',
};

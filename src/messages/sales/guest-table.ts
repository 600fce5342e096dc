/** The *Guests* screen of an event, and its list on paper. */

import type { GuestState } from '#contract/app/guests.ts';
import type { Happening } from '#contract/app/sales/guest-table.ts';
import type { Channel, GuestFilter } from '#domain/sales/guest-list.ts';
import { formatCount, plural } from '../format.ts';

const GUESTS = { one: '# guest', other: '# guests' };

export const guestTablePage = {
  title: 'Guests',
  back: 'Your events',
  caption: (title: string) => `Guests of ${title}, by name`,
  notLoaded: "We couldn't load the guests.",
  /** From the event's card. */
  all: 'All guests',
  print: 'Print list',
  download: 'Download',
  search: 'Search',
  searchHint: 'Name, email, @domain or number',
  states: 'State',
  everyone: 'All',
  filters: {
    'checked-in': 'Checked in',
    'not-yet': 'Not yet',
    disputed: 'Disputed',
    refunded: 'Refunded',
    void: 'No longer valid',
  } satisfies Record<GuestFilter, string>,
  /** The count is part of the button's name. */
  chip: (label: string, count: number) => `${label} ${formatCount(count)}`,
  type: 'Ticket type',
  anyType: 'All types',
  channel: 'Added by',
  anyChannel: 'Anyone',
  channels: { online: 'Buyers', comp: 'Comp', import: 'Import' } satisfies Record<Channel, string>,
  question: 'Question',
  anyQuestion: 'Any',
  answer: 'Answer',
  anyAnswer: 'Any answer',
  option: (label: string, count: number) => `${label} (${formatCount(count)})`,
  /** How many are in use. */
  more: (chosen: number) => (chosen > 0 ? `Filters (${chosen})` : 'Filters'),
  clear: 'Clear filters',
  found: (count: number) => plural(count, GUESTS),
  none: 'No guests yet.',
  share: 'Share your page.',
  copy: 'Copy link',
  view: 'View page',
  noHit: 'No guests match these filters.',
  name: 'Name',
  ticket: 'Ticket',
  number: 'Number',
  state: 'State',
  /** Of a guest whose data is deleted. */
  deleted: 'Deleted guest',
  ends: (digits: string) => `…${digits}`,
};

export const guestStateNames: Record<GuestState, string> = {
  valid: 'Not yet',
  scanned: 'Checked in',
  refunding: 'Refund on its way',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Disputed',
};

export const guestDrawer = {
  close: 'Close',
  notLoaded: "We couldn't load this guest.",
  email: 'Email',
  noEmail: 'No email address',
  ticket: 'Ticket',
  number: 'Confirmation number',
  free: 'Free',
  answers: 'Answers',
  order: (tickets: number) => `Order of ${plural(tickets, { one: '# ticket', other: '# tickets' })}`,
  ofOrder: (position: number, ticketName: string) => `${position}. ${ticketName}`,
  timeline: 'Timeline',
  happenings: {
    bought: 'Bought',
    added: 'Added to the guest list',
    emailed: 'Tickets emailed',
    resent: 'Ticket emailed again',
    moved: 'Date or address changed',
    transferred: 'Transferred to another person',
    'checked-in': 'Checked in',
    'refund-requested': 'Refund requested',
    'refund-made': 'Refunded by your team',
    withdrawn: 'Comp withdrawn',
    refunded: 'Refunded',
    'refund-failed': 'Refund failed',
    disputed: 'Payment disputed',
    'dispute-won': 'Dispute won',
    'dispute-lost': 'Dispute lost',
    'dispute-closed': 'Dispute closed',
  } satisfies Record<Happening, string>,
  at: (device: string) => `at ${device}`,
  resend: 'Resend ticket',
  notResent: "We couldn't resend the ticket. Please try again.",
  withdraw: 'Withdraw comp',
  doorNote: 'Door note',
};

export const printedList = {
  title: (title: string) => `Guest list · ${title}`,
  back: 'Back to the guests',
  print: 'Print',
  lead: (sheets: number, guests: number) =>
    `${plural(guests, GUESTS)} on ${plural(sheets, { one: '# page', other: '# pages' })}, without email addresses. To save a PDF, choose it as the printer.`,
  loading: (loaded: number) => `Loading… ${plural(loaded, GUESTS)} so far`,
  sheet: (sheet: number, sheets: number) => `Page ${formatCount(sheet)} of ${formatCount(sheets)}`,
  in: 'In',
  name: 'Name',
  ticket: 'Ticket',
  number: 'Ends in',
  noName: 'No name',
  checkedIn: 'Checked in',
  none: 'No guests to print.',
};

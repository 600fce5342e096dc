/** The sales of an event by day. */
import type { SalesSplit } from '#domain/reports/sales-report.ts';
import type { Channel } from '#domain/sales/guest-list.ts';
import { formatCents, plural, TICKETS } from '../format.ts';

const channelNames: Record<Channel, string> = { online: 'Online', comp: 'Comps', import: 'Imported guests' };

const isChannel = (id: string): id is Channel => Object.hasOwn(channelNames, id);

/** @param name of a ticket type, a link or a code */
export function nameOfPart(split: SalesSplit, id: string | null, name = ''): string {
  if (id === null) return split === 'link' ? 'No link' : 'No code';
  return split === 'channel' && isChannel(id) ? channelNames[id] : name;
}

export const salesPage = {
  title: 'Sales',
  lead: "A ticket counts on the day it was sold, a refund on the day it was sent, in the event's time zone.",
  overview: 'Back to the overview',
  /** On the overview. */
  link: 'All sales',
  none: 'No sales yet. Share the event link to start.',
  share: 'Share the event',
  notLoaded: "We couldn't load your sales.",
  period: 'Period',
  periods: { all: 'Since the first sale', 30: 'Last 30 days', 7: 'Last 7 days' },
  split: 'Split by',
  splits: { type: 'Ticket type', channel: 'Channel', link: 'Link', code: 'Promo code' } satisfies Record<
    SalesSplit,
    string
  >,
  figures: 'Sales in this period',
  tickets: 'Tickets',
  gross: 'Gross',
  discounts: 'Discounts',
  refunds: 'Refunds',
  refundedTickets: 'Refunded tickets',
  refundsNote: (tickets: number) => plural(tickets, TICKETS),
  underWay: ({ tickets, cents }: { tickets: number; cents: number }) =>
    `${plural(tickets, { one: 'A refund is', other: '# refunds are' })} on the way: ${formatCents(cents)} that the overview no longer counts.`,
  dayTitle: 'By day',
  daySummary: (tickets: number, gross: string, days: number) =>
    `${plural(tickets, TICKETS)} for ${gross} in ${plural(days, { one: '# day', other: '# days' })}.`,
  bar: (day: string, tickets: number) => `${day}: ${plural(tickets, TICKETS)}`,
  dayTable: 'Sales by day',
  day: 'Day',
  partTitle: (split: SalesSplit) => `By ${salesPage.splits[split].toLowerCase()}`,
  noParts: 'Nothing was sold in this period.',
  partTable: (split: SalesSplit) => `Sales by ${salesPage.splits[split].toLowerCase()}`,
};

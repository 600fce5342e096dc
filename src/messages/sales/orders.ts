/** The *Orders* screen of an event, and refunds by members. */
import type { OrderEmail, refundReasons, refundStates } from '#contract/app/sales/orders.ts';
import type { ListedOrderState } from '#domain/sales/order-list.ts';
import { formatCents, formatCount, plural, TICKETS } from '../format.ts';

const ORDERS = { one: '# order', other: '# orders' };

export const orderStateNames: Record<ListedOrderState, string> = {
  paid: 'Paid',
  'partly-refunded': 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  'in-review': 'In review',
  free: 'Free',
  comp: 'Comp',
  checkout: 'In checkout',
};

export const ordersPage = {
  title: 'Orders',
  caption: (title: string) => `Orders of ${title}, newest first`,
  notLoaded: "We couldn't load the orders.",
  search: 'Search',
  searchHint: 'Name, email or number',
  states: 'State',
  all: 'All',
  /** The count is part of the button's name. */
  chip: (label: string, count: number) => `${label} ${formatCount(count)}`,
  found: (count: number, inCheckout: number) =>
    inCheckout > 0 ? `${plural(count, ORDERS)}, ${formatCount(inCheckout)} of them in checkout` : plural(count, ORDERS),
  clear: 'Clear filters',
  none: 'No orders yet.',
  share: 'Share your page.',
  view: 'View page',
  noHit: 'No orders match these filters.',
  order: 'Order',
  buyer: 'Buyer',
  tickets: 'Tickets',
  total: 'Total',
  time: 'Time',
  state: 'State',
  free: 'Free',
  count: (tickets: number) => plural(tickets, TICKETS),
  /** Of an order whose buyer's data is deleted. */
  deleted: 'Deleted buyer',
  /** Before the buyer gave a name or an address. */
  unknown: 'Not known yet',
  until: (time: string) => `until ${time}`,
};

export const orderDrawer = {
  close: 'Close',
  title: (number: string) => `Order ${number}`,
  notLoaded: "We couldn't load this order.",
  email: 'Email',
  noEmail: 'No email address',
  reserved: 'Reserved until',
  page: 'Page it was made on',
  pageVersion: (version: number, since: string) => `Version ${version}, shown since ${since}`,
  pageChanged: 'What has changed since',
  code: (code: string) => `with ${code}`,
  line: (quantity: number, ticketName: string) => `${formatCount(quantity)} × ${ticketName}`,
  discount: (amount: string) => `${amount} off each`,
  items: 'Items',
  tickets: 'Tickets',
  ticket: (position: number, ticketName: string) => `${position}. ${ticketName}`,
  payment: 'Payment',
  charged: 'Paid by card',
  refunded: 'Refunded',
  fees: 'Ticket fees',
  refundCosts: 'Card costs of refunds',
  kept: 'You keep',
  refunds: 'Refunds',
  wholeOrder: 'Whole order',
  reasons: {
    requested: 'Requested by the buyer',
    organizer: 'By your team',
    'event-cancelled': 'Event cancelled',
    'unfulfillable-order': 'No tickets were issued',
    external: 'Made at Stripe',
    withdrawn: 'Comp withdrawn',
  } satisfies Record<(typeof refundReasons)[number], string>,
  refundStates: {
    claimed: 'On its way',
    sent: 'Sent to the bank',
    refused: 'Not accepted by Stripe',
    restored: 'Stopped by the buyer',
    failed: 'Returned by the bank',
  } satisfies Record<(typeof refundStates)[number], string>,
  note: (reason: string) => `“${reason}”`,
  /** What happened, and to which ticket. */
  happened: (what: string, position: number | null) => (position === null ? what : `${what}: ticket ${position}`),
  emails: 'Emails to the buyer',
  emailKinds: {
    tickets: 'Tickets',
    ticket: 'One ticket again',
    'order-unfulfillable': 'No tickets, money back',
    'email-corrected': 'Address corrected',
    'ticket-transferred': 'Ticket transferred',
    'refund-requested': 'Refund requested',
    'refund-accepted': 'Refund sent',
    'refund-refused': "Refund didn't go through",
    'refund-failed': 'Refund returned by the bank',
    'refunded-by-organizer': 'Refund by your team',
    'comp-withdrawn': 'Comp withdrawn',
    'event-changed': 'Date or address changed',
    'event-cancelled': 'Event cancelled',
  } satisfies Record<OrderEmail, string>,
  resend: 'Resend email',
  notResent: "We couldn't resend the email. Please try again.",
  refund: 'Refund…',
};

export const refundDialog = {
  title: (number: string) => `Refund order ${number}`,
  loading: 'Loading the order…',
  none: 'No ticket of this order can be refunded.',
  choose: 'Tickets to refund',
  all: 'Choose all',
  /** Last the price, or why it can't be chosen. */
  ticket: (position: number, ticketName: string, note: string) => `${position}. ${ticketName}, ${note}`,
  free: 'free',
  reason: 'Reason',
  reasonHint: "Optional. The buyer reads it in our email. Don't name other people.",
  /** What happens on confirming. */
  effect: (cents: number, tickets: number) =>
    cents > 0
      ? `${formatCents(cents)} goes back to the card that paid. ${plural(tickets, { one: 'The ticket stops', other: 'The tickets stop' })} working right away, and we email the buyer.`
      : `${plural(tickets, { one: 'The ticket stops', other: 'The tickets stop' })} working right away, and we email the buyer. There's no money to send back.`,
  costs: (cents: number) =>
    `Stripe keeps its fee: about ${formatCents(cents)} of this refund is deducted from your payout.`,
  confirm: (cents: number, tickets: number) =>
    cents > 0 || tickets === 0 ? `Refund ${formatCents(cents)}` : `Cancel ${plural(tickets, TICKETS)}`,
  noneChosen: 'Choose a ticket to refund.',
  sending: 'Refunding…',
  cancel: 'Keep tickets',
  failed: "We couldn't refund. Please try again.",
};

interface MemberRefund {
  refunded: number;
  /** By Stripe. */
  refused: number;
  isDelayed: boolean;
}

export function ticketsRefunded({ refunded, refused, isDelayed }: MemberRefund): string {
  const done = isDelayed
    ? `${plural(refunded, TICKETS)} will be refunded. Stripe isn't answering right now, so it takes a few minutes.`
    : `${plural(refunded, TICKETS)} refunded. We emailed the buyer.`;
  return refused > 0 ? `${done} Stripe didn't accept ${plural(refused, TICKETS)}, and those still work.` : done;
}

export const orderResentToBuyer = 'Tickets sent again';

interface RefundedTicket {
  ticketName: string;
  cents: number;
  confirmationNumber: string | null;
}

/** To the buyer, about what a member refunded. */
export const memberRefundEmail = {
  subject: (title: string, cents: number) =>
    cents > 0 ? `Your ${formatCents(cents)} refund for ${title}` : `Your tickets for ${title} are canceled`,
  preview: (organizationName: string | null, cents: number) =>
    cents > 0
      ? `${organizationName ?? 'The organizer'} sent ${formatCents(cents)} back to your card.`
      : `${organizationName ?? 'The organizer'} canceled your tickets.`,
  above: 'Refund',
  text: (organizationName: string | null, tickets: number, cents: number) => {
    const who = organizationName ?? 'The organizer';
    return cents > 0
      ? `${who} refunded ${plural(tickets, TICKETS)}. ${formatCents(cents)} is on its way to the card that paid.`
      : `${who} canceled ${plural(tickets, { one: '# free ticket', other: '# free tickets' })}, so there's nothing to refund.`;
  },
  /** The number of a transferred ticket is its holder's. */
  ticket: ({ ticketName, cents, confirmationNumber }: RefundedTicket) =>
    [ticketName, ...(confirmationNumber ? [confirmationNumber] : []), ...(cents > 0 ? [formatCents(cents)] : [])].join(
      ' · ',
    ),
  reason: (quoted: string) => `Their reason: ${quoted}`,
  ended: (tickets: number) =>
    plural(tickets, {
      one: 'This ticket no longer works. Any others are still good.',
      other: 'These tickets no longer work. Any others are still good.',
    }),
  questions: 'Questions? Please ask the organizer.',
};

export const memberRefundErrors = {
  'refund.event-cancelled': 'This event was cancelled, so every ticket is refunded automatically.',
  'refund.guest-list': 'This ticket is from the guest list. Withdraw the comp instead.',
  'refund.less-left': "Part of this order was already refunded at Stripe, so less than these tickets' price is left.",
  'refund.refused-by-stripe': "Stripe didn't accept this refund, so the tickets still work. We've been notified.",
  'refund.some-denied': ({ numbers }: { numbers: string }) =>
    `Nothing was refunded, because these tickets can't be any more: ${numbers}.`,
  'orders.unknown': "We can't find that order.",
};

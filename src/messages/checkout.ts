/** Checkout, the checkout queue, and orders that need review. */
import type { PaymentDenial, UnfulfillableReason } from '#domain/payment.ts';
import { dayAndTime, plural, TICKETS, timeFrom } from './format.ts';
import { eventCancelled, eventEnded } from './sales/event-page.ts';
import { orderLimitErrors } from './sales/order-limits.ts';

const OPEN_CHECKOUTS = { one: '# open checkout', other: '# open checkouts' };

export const reservationReleased = 'Tickets released.';

export const queueTitle = "We're holding your tickets";
export const queueAdvice = "Keep this page open. If you leave, we'll hold your tickets 2 more minutes.";
export const releaseReservation = 'Release my tickets';

/** For a buyer who came back from the payment page. `until` is a time such as `8:42 PM EDT`. */
const holdMessage = (until: string): string => `You haven't been charged. We're holding your tickets until ${until}.`;

export const openCheckoutsTitle = (count: number): string =>
  count === 1 ? 'Your checkout is still open' : 'Your checkouts are still open';

/** The cart stays. */
export const reservationEnded = 'Your hold has ended. You can check out again.';

export const continueCheckout = 'Continue checkout';

/** `title` of another event than the page's. */
export const openCheckoutMessage = ({
  title,
  tickets,
  until,
}: {
  title: string | null;
  tickets: number;
  until: string;
}) => `${title === null ? '' : `${title}: `}${plural(tickets, TICKETS)}. ${holdMessage(until)}`;

/** Status of a buyer in the checkout queue. */
export function queueStatusMessage(before: number, aboutSeconds: number): string {
  if (before === 0) return `You're next. ${pageOpens(aboutSeconds)}`;
  const ahead = plural(before, { one: '# person ahead of you.', other: '# people ahead of you.' });
  return `${ahead} ${pageOpens(aboutSeconds)}`;
}

/** `null` means unknown. Rounded up to whole minutes, so that the text rarely changes. */
export function pageOpens(aboutSeconds: number | null): string {
  const page = 'The payment page opens automatically';
  if (aboutSeconds === null) return `${page}.`;
  if (aboutSeconds < 60) return `${page} in less than a minute.`;
  const minutes = Math.ceil(aboutSeconds / 60);
  return `${page} in ${plural(minutes, { one: 'about a minute', other: 'about # minutes' })}.`;
}

/** Why an order needs review, for the operator. */
export const reviewReasons: Record<PaymentDenial, string> = {
  'other-order': 'The payment is for another order.',
  'other-currency': "The payment isn't in US dollars.",
  'other-amount': "The amount paid doesn't match the order.",
  'no-address': 'Stripe sent no email address for the tickets.',
};

/** Why a paid order is refunded instead of fulfilled. */
export const unfulfillableReasons: Record<UnfulfillableReason, string> = {
  'sold-out': 'Your payment arrived after your hold expired, and the tickets had sold out.',
  'order-lost':
    "We lost your order in a system failure, and there aren't enough tickets left to replace yours. The tickets that we sent you don't get you in. We're sorry.",
  'event-cancelled': 'The event was cancelled while you were paying.',
  'event-ended': 'Your payment arrived after the event ended.',
  'payment-differs': "The amount paid doesn't match your order, so we didn't issue tickets.",
};

/** Without `from` and `after`, sales of the ticket type have ended. */
interface NotOnSale {
  name: string;
  from: string | null;
  after: string | null;
  timezone: string;
}

export const checkoutErrors = {
  ...orderLimitErrors,
  'checkout.already-paid': "You've already paid. Your tickets are in your email.",
  'checkout.empty-cart': 'Your cart is empty.',
  'checkout.event-cancelled': eventCancelled,
  'checkout.event-ended': eventEnded,
  /** `retryAt`: when the first of the network's reservations expires. */
  'checkout.network-limit': ({ retryAt, timezone }: { retryAt: string; timezone: string }) =>
    `Too many unpaid tickets from your network. Finish an open checkout, or try again at ${timeFrom(new Date(retryAt), timezone)}.`,
  'checkout.not-on-sale': ({ name, from, after, timezone }: NotOnSale) =>
    after !== null
      ? `${name} goes on sale after ${after}.`
      : from === null
        ? `Sales of ${name} have ended.`
        : `${name} goes on sale on ${dayAndTime(new Date(from), timezone)}.`,
  /** Of tickets that are sold only with the code. */
  'checkout.promo-used-up': ({ promo, left }: { promo: string; left: number }) =>
    left === 0 ? `${promo} is used up.` : `With ${promo}, you can get at most ${plural(left, TICKETS)}.`,
  'checkout.price-changed': 'A price has changed. Reload the page to see it.',
  /** The buyer stopped polling for too long, or the event was cancelled. */
  'checkout.reservation-expired': "Your hold expired. You weren't charged.",
  'checkout.sales-paused': 'Sales are paused. You can try again later.',
  'checkout.too-many-open': ({ count }: { count: number }) =>
    `You have ${plural(count, OPEN_CHECKOUTS)}. Continue or release one of them first.`,
  'checkout.total-too-large': 'An order can be at most $999,999.99.',
  'checkout.total-too-small': 'An order must be at least $0.50, or free.',
  'checkout.unknown': "We can't find an order for this link. If your tickets were emailed again, use the newest email.",
  'checkout.unknown-ticket': 'One of your tickets is no longer on sale. Remove it to continue.',
};

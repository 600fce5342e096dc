/** Why a cart cannot be bought, apart from the schemas: see event-words.ts. */
import type { SalesObstacle } from '#domain/event-schedule.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import type { OrderObstacle } from '#domain/order.ts';
import type { PaymentObstacle } from '#domain/payment.ts';
import { eventCancelled, eventEnded } from './event-words.ts';

export const checkoutRefusals: Record<SalesObstacle | OrderObstacle | 'unknown-ticket' | 'price-changed', string> = {
  'event-cancelled': eventCancelled,
  'event-ended': eventEnded,
  'empty-cart': 'Your cart is empty.',
  'too-many-tickets': `An order can have at most ${ORDER_TICKETS_MAX} tickets.`,
  'total-too-small': 'An order must come to at least $0.50, unless it is free.',
  'total-too-large': 'An order can be at most $999,999.99.',
  'unknown-ticket': 'A ticket in your cart is no longer on sale. Please clear your cart and try again.',
  'price-changed': 'A price has changed. Please reload the page to see it.',
};

/** Told to every buyer who comes too late for what they wanted. */
export function soldOut(ticketName: string): string {
  return `${ticketName} has too few tickets left for this order.`;
}

/** Why an order was set aside, for the operator who decides about it. */
export const quarantineReasons: Record<PaymentObstacle, string> = {
  'other-order': 'The payment names another order.',
  'other-currency': 'The payment is not in US dollars.',
  'other-amount': 'The sum that was paid is not the sum that was ordered.',
  'no-address': 'The card company named no address to send the tickets to.',
};

export const quarantineRefusals = {
  'not-quarantined': 'This order is not waiting for a decision.',
  'other-currency': 'This payment is not in US dollars. Give it back in the card company’s dashboard.',
};

export type UnfillableReason = 'sold-out' | 'event-cancelled' | 'event-ended' | 'payment-differs';

/** Why a buyer who has paid gets money back instead of tickets. */
export const unfillableReasons: Record<UnfillableReason, string> = {
  'sold-out': 'Your payment reached us after your tickets had been released, and by then there were none left.',
  'event-cancelled': 'The event was cancelled while you were paying.',
  'event-ended': 'Your payment reached us after the event was over.',
  'payment-differs': 'What was paid is not what was ordered, so no tickets were made.',
};

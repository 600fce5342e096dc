/** Why a cart cannot be bought, apart from the schemas: see event-words.ts. */
import type { SaleDenial } from '#domain/event-schedule.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import type { OrderDenial } from '#domain/order.ts';
import type { PaymentDenial } from '#domain/payment.ts';
import { eventCancelled, eventEnded } from './event-words.ts';

export const checkoutErrors: Record<SaleDenial | OrderDenial | 'unknown-ticket' | 'price-changed', string> = {
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

/** The same on the page, in every email and on the screen for the door. */
export const ticketPosition = ({ position, of }: { position: number; of: number }): string =>
  `Ticket ${position} of ${of}`;

/** Told to a buyer whose tickets were held, and who was away for too long, or whose event was cancelled meanwhile. */
export const reservationExpired = 'Your tickets are no longer held. Nothing was charged.';

export const reservationReleased = 'Your tickets were given back.';
export const reservationPaid = 'This order is paid already. Your tickets come by mail.';

export const queueTitle = 'Your tickets are held';
export const queueAdvice = 'Keep this page open. Should you leave it, your tickets are kept for two more minutes.';
export const releaseReservation = 'Give the tickets back';

/** How it stands with a buyer in line for the payment page. */
export function queueMessage(before: number, aboutSeconds: number): string {
  if (before === 0) return `You are next. ${pageOpens(aboutSeconds)}`;
  const count = before === 1 ? 'One buyer is' : `${before.toLocaleString('en-US')} buyers are`;
  return `${count} before you. ${pageOpens(aboutSeconds)}`;
}

/** `null`: nobody knows yet. In whole minutes, so that it changes seldom. */
export function pageOpens(aboutSeconds: number | null): string {
  const page = 'The payment page opens by itself';
  if (aboutSeconds === null) return `${page}.`;
  if (aboutSeconds < 60) return `${page} in less than a minute.`;
  const minutes = Math.ceil(aboutSeconds / 60);
  return minutes === 1 ? `${page} in about a minute.` : `${page} in about ${minutes} minutes.`;
}

/** Why an order was set aside, for the operator who decides about it. */
export const reviewReasons: Record<PaymentDenial, string> = {
  'other-order': 'The payment names another order.',
  'other-currency': 'The payment is not in US dollars.',
  'other-amount': 'The sum that was paid is not the sum that was ordered.',
  'no-address': 'The card company named no address to send the tickets to.',
};

export const reviewErrors = {
  'not-quarantined': 'This order is not waiting for a decision.',
  'other-currency': 'This payment is not in US dollars. Give it back in the card company’s dashboard.',
};

export type UnfulfillableReason = 'sold-out' | 'event-cancelled' | 'event-ended' | 'payment-differs';

/** Why a buyer who has paid gets money back instead of tickets. */
export const unfulfillableReasons: Record<UnfulfillableReason, string> = {
  'sold-out': 'Your payment reached us after your tickets had been released, and by then there were none left.',
  'event-cancelled': 'The event was cancelled while you were paying.',
  'event-ended': 'Your payment reached us after the event was over.',
  'payment-differs': 'What was paid is not what was ordered, so no tickets were made.',
};

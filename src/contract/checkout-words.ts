/** Why a cart cannot be bought, apart from the schemas: see event-words.ts. */
import type { SalesObstacle } from '#domain/event-schedule.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import type { OrderObstacle } from '#domain/order.ts';
import { eventCancelled, eventEnded } from './event-words.ts';

export const checkoutRefusals: Record<SalesObstacle | OrderObstacle | 'unknown-ticket' | 'price-changed', string> = {
  'event-cancelled': eventCancelled,
  'event-ended': eventEnded,
  'empty-cart': 'Your cart is empty.',
  'too-many-tickets': `An order can have at most ${ORDER_TICKETS_MAX} tickets.`,
  'total-too-large': 'An order can be at most $999,999.99.',
  'unknown-ticket': 'A ticket in your cart is no longer on sale. Please clear your cart and try again.',
  'price-changed': 'A price has changed. Please reload the page to see it.',
};

/** Told to every buyer who comes too late for what they wanted. */
export function soldOut(ticketName: string): string {
  return `${ticketName} has too few tickets left for this order.`;
}

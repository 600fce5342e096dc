/**
 * How long reservations last. Without a payment page, a reservation lives as long as the buyer keeps polling for one;
 * with a payment page, it expires when the page does.
 */

/** How long a buyer in the checkout queue keeps the reservation without polling. */
export const WAITING_BUYER_MINUTES = 2;
/** Lifetime without a payment page. Longer than promised, so that not every poll has to extend it in the database. */
export const UNPAID_RESERVATION_MINUTES = 3;
/** How long a free order's tickets wait for the proof of its buyer's address, from the reservation on. */
export const FREE_ORDER_MINUTES = 15;
/** How long an order's tickets wait for the answers to what its event asks, from the reservation on. */
export const DETAILS_MINUTES = 10;
/** Stripe's minimum is 30 minutes; two more absorb clock skew and a slow API call. */
export const PAYMENT_PAGE_MINUTES = 32;
/** How long a payment page keeps its tickets while more than half of what an event has left waits for payment. */
export const SHORT_PAYMENT_MINUTES = 10;
/** A retry with the same idempotency key has to send the same expiry, and it must still be above Stripe's minimum. */
export const PAYMENT_PAGE_MIN_MINUTES = 31.25;

/** The tickets of an event that aren't sold, and those of them that others have reserved without paying. */
export interface UnsoldTickets {
  unsold: number;
  unpaid: number;
}

export function minutesToPay({ unsold, unpaid }: UnsoldTickets): number {
  return unpaid * 2 > unsold ? SHORT_PAYMENT_MINUTES : PAYMENT_PAGE_MINUTES;
}

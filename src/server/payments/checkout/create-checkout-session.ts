/** Turns a cart into a payment page: reserves the tickets, then calls Stripe or joins the checkout queue. */

import { cachedEventOnSale } from '#server/orders/events-on-sale.ts';
import { hasReservation } from '#server/orders/has-reservation.ts';
import { readCart } from '#server/orders/read-cart.ts';
import { knownSoldOut } from '#server/orders/reserve-order.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { openPaymentPage, type PageDeps } from './open-payment-page.ts';
import { queuedReply } from './queue-token.ts';
import { type CartToReserve, reserveCart } from './reserve-cart.ts';

type CheckoutDeps = PageDeps & Pick<Deps, 'rateLimiter'>;

export async function createCheckoutSession(deps: CheckoutDeps, cart: CartToReserve, ip: string) {
  await denyKnownSoldOut(deps, cart);
  await consumeLimit(deps.rateLimiter, 'checkout', ip);
  const { order, page, position } = await reserveCart(deps, cart);
  if (page) return page;
  return position === null ? openPaymentPage(deps, order) : queuedReply(deps, { ...order, position });
}

/** In a sale that sells out within a minute, most requests end here, at almost no cost to the remaining buyers. */
async function denyKnownSoldOut({ db }: CheckoutDeps, cart: CartToReserve): Promise<void> {
  const event = cachedEventOnSale(db, cart.eventId);
  const lines = event && readCart(cart, event);
  const short = lines && !(lines instanceof AppError) && knownSoldOut(db, lines);
  if (!short) return;
  // The buyer who reserved the last tickets may repeat a request whose answer was lost.
  if (cart.cartId && (await hasReservation(db, { eventId: cart.eventId, cartId: cart.cartId }))) return;
  throw new AppError('checkout.sold-out', { name: short.ticketName });
}

/** Reserves a cart's tickets. Idempotent per cart: repeated clicks keep the same reservation. */
import { soldOut } from '#contract/app/checkout.ts';
import { turnErrors } from '#contract/app/waiting-room.ts';
import { tooBusy } from '#contract/messages/requests.ts';
import type { OrderRef } from '#domain/order.ts';
import { orderTotalCents } from '#domain/order.ts';
import { isCartPaid } from '#server/events/waiting-room/used-pass.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { joinQueue } from '#server/orders/core/checkout-queue.sql.ts';
import { findOrderLines } from '#server/orders/core/orders.sql.ts';
import { type CartLine, reservedOrder } from '#server/orders/core/reserve.sql.ts';
import { cachedEventOnSale, readEventOnSale } from '#server/orders/events-on-sale.ts';
import { type Cart, readCart } from '#server/orders/read-cart.ts';
import { reserveOrder } from '#server/orders/reserve-order.ts';
import { AppError, conflict, unavailable } from '#server/platform/app-error.ts';
import { newId } from '#server/platform/ids.ts';
import type { CheckoutOrder } from '#server/platform/ports/payment-processor.ts';
import { endCheckout } from './close-checkouts.ts';
import type { PageDeps } from './open-payment-page.ts';

export interface CartToReserve extends Cart {
  /** The cart id is a waiting-room pass, which is valid for one order. */
  buysOnce?: boolean;
}

export interface ReservedCart {
  order: CheckoutOrder;
  /** Payment page, if the cart already has one. */
  page: { id: string; url: string } | null;
  /** Position in the checkout queue; null if it doesn't have to wait. */
  position: number | null;
}

/** Retries if the event was edited or another tab used the cart in the meantime. */
const ATTEMPTS = 5;
const RETRY_SECONDS = 3;

/** Longer than Stripe usually takes. After a double click, the first request gets this long to open the page. */
const FIRST_CLICK_SECONDS = 5;

export async function reserveCart(deps: PageDeps, cart: CartToReserve): Promise<ReservedCart> {
  let cached = cachedEventOnSale(deps.db, cart.eventId);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const event = cached ?? (await readEventOnSale(deps.db, cart.eventId));
    const isFresh = cached === undefined;
    cached = undefined;
    const lines = readCart(cart, event);
    if (lines instanceof AppError && isFresh) throw lines;
    if (lines instanceof AppError || !event) continue;

    const order = { eventId: event.id, orderId: newId(), lines };
    const cartOrder = { ...order, cartId: cart.cartId ?? null, totalCents: orderTotalCents(lines) };
    const reserved = await reserveOrder(deps.db, cartOrder, deps.pagesPerSecond);
    if (reserved.is === 'sold-out') throw conflict(soldOut(reserved.line.ticketName));
    if (reserved.is === 'reserved') {
      const { until: expiresAt, queuePosition: position } = reserved;
      if (position !== null) checkoutQueueOf(deps.db).noteJoined(position);
      return { order: { ...order, eventTitle: event.title, expiresAt }, page: null, position };
    }
    const existingId = reserved.is === 'already-reserved' && reserved.orderId;
    const kept = existingId ? await keepOrEnd(deps, { eventId: event.id, orderId: existingId }, lines) : null;
    if (kept) return kept;
    if (cart.buysOnce && cart.cartId && (await isCartPaid(deps, cart.eventId, cart.cartId)))
      throw conflict(turnErrors['pass-used']);
  }
  throw unavailable(tooBusy, RETRY_SECONDS);
}

/** An unchanged cart keeps its reservation. A changed one ends it: payment page first, then the tickets. */
async function keepOrEnd(deps: PageDeps, ref: OrderRef, wanted: readonly CartLine[]): Promise<ReservedCart | null> {
  const order = await reservedOrder(deps.db, ref);
  if (order?.state !== 'reserved') return null;

  const lines = await findOrderLines(deps.db, ref);
  if (order.isStanding && isSame(lines, wanted)) {
    const kept = { ...ref, eventTitle: order.eventTitle, expiresAt: order.reservationExpiresAt, lines };
    if (order.sessionId === null) return { order: kept, page: null, position: await requeue(deps, ref) };
    if (order.sessionUrl !== null)
      return { order: kept, page: { id: order.sessionId, url: order.sessionUrl }, position: null };
  }
  await endCheckout(deps, ref);
  return null;
}

/** Returns the queue position and extends the reservation as for a new one. */
async function requeue({ db, clock }: PageDeps, ref: OrderRef): Promise<number> {
  const queue = checkoutQueueOf(db);
  queue.notePoll(ref, clock.now());
  const position = await joinQueue(db, ref, FIRST_CLICK_SECONDS);
  queue.noteJoined(position);
  return position;
}

const isSame = (reserved: readonly CartLine[], wanted: readonly CartLine[]) =>
  fingerprintOf(reserved) === fingerprintOf(wanted);

const fingerprintOf = (lines: readonly CartLine[]) =>
  JSON.stringify(
    lines
      .map((line) => [line.ticketTypeId, line.ticketName, line.unitPriceCents, line.quantity])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

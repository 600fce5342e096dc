/** Turns a cart into a payment page: reserves the tickets, then calls Stripe or joins the checkout queue. */
import type { createCheckoutSession as endpoint } from '#contract/app/checkout.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type OrderRef, orderTotalCents, type PricedLine, priceCart, resolveCart } from '#domain/order.ts';
import { isCartPaid } from '#server/events/waiting-room/sale.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { joinQueue } from '#server/orders/core/checkout-queue.sql.ts';
import { findOrderLines } from '#server/orders/core/orders.sql.ts';
import { type EventOnSale, reservedOrder, reservedOrderOf } from '#server/orders/core/stock.sql.ts';
import {
  cachedEventOnSale,
  hasReservation,
  knownSoldOut,
  readEventOnSale,
  reserveOrder,
} from '#server/orders/reserve-order.ts';
import { AppError, denialError } from '#server/platform/app-error.ts';
import { networkHash } from '#server/platform/client-network.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import type { CheckoutOrder } from '#server/platform/ports/payment-processor.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type BrowserCheckouts, NO_CHECKOUTS } from './browser-checkouts.ts';
import { endCheckout } from './close-checkouts.ts';
import { denyTooManyOpen, releaseOwnTickets } from './open-checkouts.ts';
import { openPaymentPage, type PageDeps } from './open-payment-page.ts';
import { queuedReply } from './queue-token.ts';

type Cart = InputOf<typeof endpoint>;

interface CartToReserve extends Cart {
  /** The cart id is a waiting-room pass, which is valid for one order. */
  buysOnce?: boolean;
}

/** Retries if the event was edited or another tab used the cart in the meantime. */
const ATTEMPTS = 5;
const RETRY_SECONDS = 3;

/** Longer than Stripe usually takes. After a double click, the first request gets this long to open the page. */
const FIRST_CLICK_SECONDS = 5;

/** Denials that don't end a reservation which was made before them. */
const MAY_BE_LATE: ReadonlySet<string> = new Set([
  'checkout.not-on-sale',
  'checkout.too-few',
  'checkout.too-many',
  'checkout.too-many-tickets',
]);

type CheckoutDeps = PageDeps & Pick<Deps, 'rateLimiter' | 'networkLimits'>;

export async function createCheckoutSession(
  deps: CheckoutDeps,
  cart: CartToReserve,
  ip: string,
  browser: BrowserCheckouts = NO_CHECKOUTS,
) {
  const own = browser.refs.filter(({ eventId }) => eventId === cart.eventId);
  if (own.length === 0) await denyKnownSoldOut(deps, cart);
  await consumeLimit(deps.rateLimiter, 'checkout', ip);
  const max = deps.networkLimits.openCheckouts;
  if (max !== null && browser.refs.length >= max) await denyTooManyOpen(deps, browser, { ...cart, max, ip });
  const { order, page, position } = await reserveCart(deps, cart, { network: networkOf(deps, cart.eventId, ip), own });
  browser.add(order);
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

function readCart(cart: Cart, event: EventOnSale | undefined): PricedLine[] | AppError {
  if (!event) return new AppError('event.not-found');
  const lines = priceCart(cart.cartItems, event);
  return 'reason' in lines ? denialError('checkout', lines) : lines;
}

interface ReservedCart {
  order: CheckoutOrder;
  /** Payment page, if the cart already has one. */
  page: { id: string; url: string } | null;
  /** Position in the checkout queue; null if it doesn't have to wait. */
  position: number | null;
}

/** Idempotent per cart: repeated clicks keep the same reservation. */
async function reserveCart(
  deps: CheckoutDeps,
  cart: CartToReserve,
  { network, own }: { network: number | null; own: readonly OrderRef[] },
): Promise<ReservedCart> {
  const terms = { pagesPerSecond: deps.pagesPerSecond, unpaidMax: deps.networkLimits.unpaidTickets };
  let cached = cachedEventOnSale(deps.db, cart.eventId);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const event = cached ?? (await readEventOnSale(deps.db, cart.eventId));
    const isFresh = cached === undefined;
    cached = undefined;
    const lines = readCart(cart, event);
    if (lines instanceof AppError && isFresh) {
      const kept = event && MAY_BE_LATE.has(lines.code) && (await keepReserved(deps, cart, event));
      if (kept) return kept;
      throw lines;
    }
    if (lines instanceof AppError || !event) continue;

    const order = { eventId: event.id, orderId: newId(), lines };
    const cartOrder = {
      ...order,
      cartId: cart.cartId ?? null,
      totalCents: orderTotalCents(lines),
      networkHash: network,
    };
    const reserved = await reserveOrder(deps.db, cartOrder, terms);
    if (reserved.is === 'sold-out') {
      // To their own buyer, reserved tickets are available: a new tab begins another cart.
      if (await releaseOwnTickets(deps, own, reserved)) continue;
      throw new AppError('checkout.sold-out', { name: reserved.line.ticketName });
    }
    if (reserved.is === 'network-limit') throw networkLimitReached(event, reserved.retryAt);
    if (reserved.is === 'reserved') {
      const { until: expiresAt, queuePosition: position } = reserved;
      if (position !== null) checkoutQueueOf(deps.db).noteJoined({ eventId: event.id, position });
      return { order: { ...order, eventTitle: event.title, expiresAt }, page: null, position };
    }
    const existingId = reserved.is === 'already-reserved' && reserved.orderId;
    const kept = existingId ? await keepOrEnd(deps, { eventId: event.id, orderId: existingId }, lines) : null;
    if (kept) return kept;
    if (cart.buysOnce && cart.cartId && (await isCartPaid(deps, cart.eventId, cart.cartId)))
      throw new AppError('waiting-room.pass-used');
  }
  throw new AppError('server.busy', { retryAfterSeconds: RETRY_SECONDS });
}

const networkLimitReached = ({ timezone }: EventOnSale, retryAt: Date) =>
  new AppError('checkout.network-limit', { retryAt: retryAt.toISOString(), timezone });

/** `null` without a limit. */
function networkOf({ appSecret, networkLimits }: CheckoutDeps, eventId: string, ip: string): number | null {
  return networkLimits.unpaidTickets === null ? null : networkHash(appSecret, eventId, ip);
}

/** What was reserved in time can be paid, also by a buyer who never got the answer. */
async function keepReserved(deps: PageDeps, cart: CartToReserve, event: EventOnSale): Promise<ReservedCart | null> {
  const { eventId, cartId } = cart;
  const wanted = resolveCart(cart.cartItems, event);
  if (!cartId || 'reason' in wanted) return null;
  const orderId = await reservedOrderOf(deps.db, { eventId, cartId });
  const order = orderId && (await reservedOrder(deps.db, { eventId, orderId }));
  return orderId && order ? keep(deps, { eventId, orderId }, order, wanted) : null;
}

/** An unchanged cart keeps its reservation. A changed one ends it: payment page first, then the tickets. */
async function keepOrEnd(deps: PageDeps, ref: OrderRef, wanted: readonly PricedLine[]): Promise<ReservedCart | null> {
  const order = await reservedOrder(deps.db, ref);
  if (order?.state !== 'reserved') return null;
  const kept = await keep(deps, ref, order, wanted);
  if (!kept) await endCheckout(deps, ref);
  return kept;
}

/** Null unless the reservation stands and is what the buyer wants. */
async function keep(
  deps: PageDeps,
  ref: OrderRef,
  order: NonNullable<Awaited<ReturnType<typeof reservedOrder>>>,
  wanted: readonly PricedLine[],
): Promise<ReservedCart | null> {
  const lines = await findOrderLines(deps.db, ref);
  if (order.isStanding && isSame(lines, wanted)) {
    const kept = { ...ref, eventTitle: order.eventTitle, expiresAt: order.reservationExpiresAt, lines };
    if (order.sessionId === null) return { order: kept, page: null, position: await requeue(deps, ref) };
    if (order.sessionUrl !== null)
      return { order: kept, page: { id: order.sessionId, url: order.sessionUrl }, position: null };
  }
  return null;
}

/** Returns the queue position and extends the reservation as for a new one. */
async function requeue({ db, clock }: PageDeps, ref: OrderRef): Promise<number> {
  const queue = checkoutQueueOf(db);
  queue.notePoll(ref, clock.now());
  const position = await joinQueue(db, ref, FIRST_CLICK_SECONDS);
  queue.noteJoined({ eventId: ref.eventId, position });
  return position;
}

const isSame = (reserved: readonly PricedLine[], wanted: readonly PricedLine[]) =>
  fingerprintOf(reserved) === fingerprintOf(wanted);

const fingerprintOf = (lines: readonly PricedLine[]) =>
  JSON.stringify(
    lines
      .map((line) => [line.ticketTypeId, line.ticketName, line.unitPriceCents, line.quantity])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

/** Turns a cart into a payment page: reserves the tickets, then calls Stripe or joins the checkout queue. */
import type { createCheckoutSession as endpoint, Quote } from '#contract/app/checkout.ts';
import type { ChangedPage } from '#contract/app/sales/page-changes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import {
  denySale,
  discountOf,
  MAY_BE_LATE,
  type OrderRef,
  orderTotalCents,
  type PricedLine,
  priceCart,
} from '#domain/order.ts';
import { asksAnything } from '#domain/sales/guest-form.ts';
import { countDiscounted, type PromoCode } from '#domain/sales/promo-codes.ts';
import { promoQuote } from '#messages/sales/promo.ts';
import { outdatedPage } from '#server/events/versions/outdated-page.ts';
import { isCartPaid } from '#server/events/waiting-room/sale.ts';
import { checkoutPageReply } from '#server/orders/checkout-page/checkout-page.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import type { CartOrder, EventOnSale } from '#server/orders/core/stock.sql.ts';
import {
  cachedPromoCode,
  type FoundPromoCode,
  readPromoCode,
  requirePromoCode,
} from '#server/orders/promo-codes/find-promo-code.ts';
import {
  cachedEventOnSale,
  hasReservation,
  knownSoldOut,
  readEventOnSale,
  reserveOrder,
} from '#server/orders/reserve-order.ts';
import { AppError, denialError } from '#server/platform/app-error.ts';
import { networkHash } from '#server/platform/client-network.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type BrowserCheckouts, NO_CHECKOUTS } from './browser-checkouts.ts';
import { type Cart, keepOrEnd, keepReserved, type ReservedCart, type Sale } from './keep-reservation.ts';
import { denyTooManyOpen, releaseOwnTickets, releaseOwnUses } from './open-checkouts.ts';
import { openPaymentPage, type PageDeps } from './open-payment-page.ts';
import { queuedReply } from './queue-token.ts';

interface CartToReserve extends Cart {
  /** The cart id is a waiting-room pass, which is valid for one order. */
  buysOnce?: boolean;
}

/** Retries if the event was edited or another tab used the cart in the meantime. */
const ATTEMPTS = 5;
const RETRY_SECONDS = 3;

type CheckoutDeps = PageDeps & Pick<Deps, 'rateLimiter' | 'networkLimits'>;

export async function createCheckoutSession(
  deps: CheckoutDeps,
  cart: CartToReserve,
  ip: string,
  browser: BrowserCheckouts = NO_CHECKOUTS,
): Promise<ReplyOf<typeof endpoint>> {
  const own = browser.refs.filter(({ eventId }) => eventId === cart.eventId);
  if (own.length === 0) await denyKnownSoldOut(deps, cart);
  await consumeLimit(deps.rateLimiter, 'checkout', ip);
  const max = deps.networkLimits.openCheckouts;
  if (max !== null && browser.refs.length >= max) await denyTooManyOpen(deps, browser, { ...cart, max, ip });
  const client = { network: networkOf(deps, cart.eventId, ip), own };
  if (cart.promoCode !== undefined)
    await requirePromoCode(deps, { eventId: cart.eventId, promoCode: cart.promoCode, ip });
  const reserved = await reserveCart(deps, cart, client);
  if ('quote' in reserved || 'changed' in reserved) return { id: '', url: eventPageWith(deps, cart), ...reserved };
  const { order, page, position } = reserved;
  browser.add(order);
  if (page) return page;
  return position === null ? openPaymentPage(deps, order) : queuedReply(deps, { ...order, position });
}

/** For clients that only follow the URL. */
const eventPageWith = ({ publicUrl }: CheckoutDeps, { eventId, promoCode = '' }: Cart) =>
  `${publicUrl}/payment/${eventId}?code=${encodeURIComponent(promoCode)}`;

/** In a sale that sells out within a minute, most requests end here, at almost no cost to the remaining buyers. */
async function denyKnownSoldOut({ db }: CheckoutDeps, cart: CartToReserve): Promise<void> {
  const priced = priceCheckout(cart, cachedSale(db, cart));
  const short = 'lines' in priced && knownSoldOut(db, priced.lines);
  if (!short) return;
  // The buyer who reserved the last tickets may repeat a request whose answer was lost.
  if (cart.cartId && (await hasReservation(db, { eventId: cart.eventId, cartId: cart.cartId }))) return;
  throw new AppError('checkout.sold-out', { name: short.ticketName });
}

/** Idempotent per cart: repeated clicks keep the same reservation. */
async function reserveCart(
  deps: CheckoutDeps,
  cart: CartToReserve,
  { network, own }: { network: number | null; own: readonly OrderRef[] },
): Promise<ReservedCart | { quote: Quote } | { changed: ChangedPage }> {
  const terms = { pagesPerSecond: deps.pagesPerSecond, unpaidMax: deps.networkLimits.unpaidTickets };
  let cached = cachedSale(deps.db, cart);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const isFresh = !cached.event && !cached.promo;
    const sale = await readSale(deps.db, cart, cached);
    cached = UNREAD;
    const changed = await changesFor(deps.db, cart, sale);
    if (changed && !isFresh) continue;
    if (changed) return { changed };
    const priced = priceCheckout(cart, sale);
    if ('denial' in priced) {
      if (!isFresh) continue;
      const { denial } = priced;
      const kept = priced.mayBeLate ? await keepReserved(deps, cart, sale) : null;
      if (kept) return kept;
      const isEnough = (promo: FoundPromoCode) => 'lines' in priceCheckout(cart, { ...sale, promo });
      if (sale.promo && (await releaseOwnUses(deps, own, sale.promo, isEnough))) continue;
      if (denial instanceof AppError) throw denial;
      return { quote: denial };
    }

    const { event, lines, promo } = priced;
    const order = { eventId: event.id, orderId: newId(), lines };
    const cartOrder = {
      ...order,
      promoVersion: promo?.version,
      cartId: cart.cartId ?? null,
      totalCents: orderTotalCents(lines),
      networkHash: network,
      pageVersion: cart.pageVersion === undefined ? undefined : event.pageVersion,
      linkId: event.links.find(({ slug }) => slug === cart.from)?.id,
      form: formOf(event, lines),
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
      const hasOwnPage = cartOrder.totalCents === 0 || cartOrder.form?.isAsked;
      const page = hasOwnPage ? checkoutPageReply(deps, order) : null;
      return { order: { ...order, eventTitle: event.title, expiresAt }, page, position };
    }
    const existingId = reserved.is === 'already-reserved' && reserved.orderId;
    const kept = existingId ? await keepOrEnd(deps, { eventId: event.id, orderId: existingId }, cart, sale) : null;
    if (kept) return kept;
    if (cart.buysOnce && cart.cartId && (await isCartPaid(deps, cart.eventId, cart.cartId)))
      throw new AppError('waiting-room.pass-used');
  }
  throw new AppError('server.busy', { retryAfterSeconds: RETRY_SECONDS });
}

const UNREAD: Sale = { event: undefined, promo: undefined };

function cachedSale(db: Db, cart: Cart): Sale {
  const typed = typedCode(cart);
  return { event: cachedEventOnSale(db, cart.eventId), promo: typed && cachedPromoCode(db, typed) };
}

/** Reads what is not cached. */
async function readSale(db: Db, cart: Cart, cached: Sale): Promise<Sale> {
  const typed = typedCode(cart);
  const [event, promo] = await Promise.all([
    cached.event ?? readEventOnSale(db, cart.eventId),
    typed && (cached.promo ?? readPromoCode(db, typed)),
  ]);
  return { event, promo };
}

const typedCode = ({ eventId, promoCode }: Cart) => (promoCode === undefined ? null : { eventId, promoCode });

type Priced =
  | { event: EventOnSale; lines: PricedLine[]; promo: FoundPromoCode | null }
  /** One that may be late leaves a reservation that was made before it. */
  | { denial: AppError | Quote; mayBeLate: boolean };

function priceCheckout(cart: Cart, { event, promo }: Sale): Priced {
  if (!event) return { denial: new AppError('event.not-found'), mayBeLate: false };
  if (promo === undefined || promo?.isValid === false)
    return { denial: new AppError('promo.invalid'), mayBeLate: true };
  const lines = priceCart(cart.cartItems, event, promo);
  if ('reason' in lines) return { denial: denialError('checkout', lines), mayBeLate: MAY_BE_LATE[lines.reason] };
  if (!promo && !isExpected(cart, lines)) return { denial: new AppError('checkout.price-changed'), mayBeLate: false };
  return (promo && quoteFor(cart, lines, discountOf(event.types, promo))) ?? { event, lines, promo };
}

/** Null if the order costs what its buyer accepted. By default, that is the code's price for each ticket which the code is for. */
function quoteFor(cart: Cart, lines: readonly PricedLine[], promo: PromoCode): Priced | null {
  const { discounted, fullPrice } = countDiscounted(lines, promo);
  if (cart.expectedTotalCents === undefined ? fullPrice === 0 : isExpected(cart, lines)) return null;
  const totalCents = orderTotalCents(lines);
  const msg = promoQuote({ ...promo, discounted, fullPrice, totalCents });
  return { denial: { totalCents, msg }, mayBeLate: true };
}

/** Before prices: another price makes a buyer read the page again, and miss another date. */
async function changesFor(db: Db, { eventId, pageVersion: shown }: Cart, { event }: Sale): Promise<ChangedPage | null> {
  if (!event || shown === undefined || shown === event.pageVersion || denySale(event, event.now)) return null;
  return outdatedPage(db, { eventId, shown, present: event.pageVersion });
}

/** What the event asks, and whether it is about these tickets. */
function formOf({ form, types }: EventOnSale, lines: readonly PricedLine[]): CartOrder['form'] {
  if (!form) return undefined;
  const ordered = types.filter(({ id }) => lines.some(({ ticketTypeId }) => ticketTypeId === id));
  const tickets = ordered.map(({ id, isAddOn }) => ({ ticketTypeId: id, isAddOn }));
  return { version: form.version, isAsked: asksAnything(form, tickets) };
}

const isExpected = ({ expectedTotalCents }: Cart, lines: readonly PricedLine[]): boolean =>
  expectedTotalCents === undefined || expectedTotalCents === orderTotalCents(lines);

const networkLimitReached = ({ timezone }: EventOnSale, retryAt: Date) =>
  new AppError('checkout.network-limit', { retryAt: retryAt.toISOString(), timezone });

/** `null` without a limit. */
function networkOf({ appSecret, networkLimits }: CheckoutDeps, eventId: string, ip: string): number | null {
  return networkLimits.unpaidTickets === null ? null : networkHash(appSecret, eventId, ip);
}

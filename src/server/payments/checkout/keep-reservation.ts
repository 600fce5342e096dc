/** A cart that has a reservation already: repeated clicks keep it, and a changed cart ends it. */
import type { createCheckoutSession } from '#contract/app/checkout.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type OrderRef, orderTotalCents, type PricedLine, resolveCart } from '#domain/order.ts';
import { needsDetails } from '#domain/sales/guest-form.ts';
import { checkoutPageReply } from '#server/orders/checkout-page/checkout-page.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { joinQueue } from '#server/orders/core/checkout-queue.sql.ts';
import { findOrderLines } from '#server/orders/core/orders.sql.ts';
import { type EventOnSale, reservedOrder, reservedOrderOf, restatePageVersion } from '#server/orders/core/stock.sql.ts';
import { type FoundPromoCode, withOwnUses } from '#server/orders/promo-codes/find-promo-code.ts';
import type { CheckoutOrder } from '#server/platform/ports/payment-processor.ts';
import { endCheckout } from './close-checkouts.ts';
import type { PageDeps } from './open-payment-page.ts';

/** Longer than Stripe usually takes. After a double click, the first request gets this long to open the page. */
const FIRST_CLICK_SECONDS = 5;

export type Cart = InputOf<typeof createCheckoutSession>;

/** What a cart is priced with. `promo` is undefined for a code that isn't known, and null for a cart without one. */
export interface Sale {
  event: EventOnSale | undefined;
  promo: FoundPromoCode | null | undefined;
}

export interface ReservedCart {
  order: CheckoutOrder;
  /** The payment page, if the cart already has one, or the page before it. */
  page: { id: string; url: string } | null;
  /** Position in the checkout queue; null if it doesn't have to wait. */
  position: number | null;
}

/** What was reserved in time can be paid, also by a buyer who never got the answer. */
export async function keepReserved(deps: PageDeps, cart: Cart, sale: Sale): Promise<ReservedCart | null> {
  const { eventId, cartId } = cart;
  const orderId = cartId ? await reservedOrderOf(deps.db, { eventId, cartId }) : null;
  const order = orderId && (await reservedOrder(deps.db, { eventId, orderId }));
  return orderId && order ? keep(deps, { eventId, orderId }, order, { cart, ...sale }) : null;
}

/** An unchanged cart keeps its reservation. A changed one ends it: payment page first, then the tickets. */
export async function keepOrEnd(deps: PageDeps, ref: OrderRef, cart: Cart, sale: Sale): Promise<ReservedCart | null> {
  const order = await reservedOrder(deps.db, ref);
  if (order?.state !== 'reserved') return null;
  const kept = await keep(deps, ref, order, { cart, ...sale });
  if (!kept) await endCheckout(deps, ref);
  return kept;
}

/** Null unless the reservation stands and is what the buyer wants. To its buyer, its own uses of the promo code are available. */
async function keep(
  deps: PageDeps,
  ref: OrderRef,
  order: NonNullable<Awaited<ReturnType<typeof reservedOrder>>>,
  { cart, event, promo }: Sale & { cart: Cart },
): Promise<ReservedCart | null> {
  if (!event || promo === undefined) return null;
  const lines = await findOrderLines(deps.db, ref);
  const wanted = resolveCart(cart.cartItems, event, promo && withOwnUses(promo, lines));
  if (order.isStanding && !('reason' in wanted) && isStillWanted(cart, lines, wanted)) {
    if (cart.pageVersion !== undefined && order.pageVersion !== event.pageVersion)
      await restatePageVersion(deps.db, ref, event.pageVersion);
    const kept = { ...ref, eventTitle: order.eventTitle, expiresAt: order.reservationExpiresAt, lines };
    const hasOwnPage = orderTotalCents(lines) === 0 || needsDetails(order);
    if (order.sessionId === null)
      return {
        order: kept,
        page: hasOwnPage ? checkoutPageReply(deps, ref) : null,
        position: hasOwnPage ? null : await requeue(deps, ref),
      };
    if (order.sessionUrl !== null)
      return { order: kept, page: { id: order.sessionId, url: order.sessionUrl }, position: null };
  }
  return null;
}

/** Returns the queue position and extends the reservation as for a new one. */
export async function requeue({ db, clock }: PageDeps, ref: OrderRef): Promise<number> {
  const queue = checkoutQueueOf(db);
  queue.notePoll(ref, clock.now());
  const position = await joinQueue(db, ref, FIRST_CLICK_SECONDS);
  queue.noteJoined({ eventId: ref.eventId, position });
  return position;
}

/** The same tickets at the same prices, or at the total that the buyer accepted. Never more than that. */
function isStillWanted(cart: Cart, reserved: readonly PricedLine[], wanted: readonly PricedLine[]): boolean {
  const { expectedTotalCents = Infinity } = cart;
  const isSame = (fingerprint: (line: PricedLine) => unknown[]) =>
    fingerprintOf(reserved, fingerprint) === fingerprintOf(wanted, fingerprint);
  if (!isSame((line) => [line.ticketTypeId, line.ticketName, line.listPriceCents])) return false;
  const hasPrices = isSame((line) => [line.ticketTypeId, line.unitPriceCents, line.promoCodeId]);
  return hasPrices ? orderTotalCents(reserved) <= expectedTotalCents : expectedTotalCents === orderTotalCents(reserved);
}

/** How many tickets there are of each kind that `key` distinguishes. */
function fingerprintOf(lines: readonly PricedLine[], key: (line: PricedLine) => unknown[]): string {
  const quantities = new Map<string, number>();
  for (const line of lines) {
    const kind = JSON.stringify(key(line));
    quantities.set(kind, (quantities.get(kind) ?? 0) + line.quantity);
  }
  return JSON.stringify([...quantities].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The page of a free order: its signed address, and what it shows. */
import type { FreeOrder } from '#contract/app/sales/free-orders.ts';
import type { OrderRef } from '#domain/order.ts';
import { FREE_ORDER_MINUTES } from '#domain/reservation-times.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { findOrderLines } from '#server/orders/core/orders.sql.ts';
import { orderUrl, signedOrder, signOrder } from '#server/orders/order-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findEarlierOrder, findFreeOrder } from './free-orders.sql.ts';

const PURPOSE = 'free order';
/** Of the address in the email, which may have been mistyped: it confirms, and neither shows another address nor replaces it. */
const LINK_PURPOSE = 'free order link';

const handleOf = ({ appSecret }: Pick<Deps, 'appSecret'>, order: OrderRef): string =>
  signOrder(appSecret, PURPOSE, order);

export function orderOfHandle({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): OrderRef {
  const order = signedOrder(appSecret, PURPOSE, handle);
  if (!order) throw new AppError('checkout.unknown');
  return order;
}

/** From the order's page, or from a link in its emails. */
export function orderOfLink({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): OrderRef {
  return signedOrder(appSecret, LINK_PURPOSE, handle) ?? orderOfHandle({ appSecret }, handle);
}

export const freeOrderLink = (
  { appSecret, publicUrl }: Pick<Deps, 'appSecret' | 'publicUrl'>,
  order: OrderRef,
): string => `${publicUrl}/checkout/${signOrder(appSecret, LINK_PURPOSE, order)}`;

export const freeOrderUrl = (deps: Pick<Deps, 'appSecret' | 'publicUrl'>, order: OrderRef): string =>
  `${deps.publicUrl}/checkout/${handleOf(deps, order)}`;

/** In place of the payment page. */
export const freeOrderReply = (deps: Pick<Deps, 'appSecret' | 'publicUrl'>, order: OrderRef) => ({
  id: handleOf(deps, order),
  url: freeOrderUrl(deps, order),
});

/** Its tickets stay reserved while the page keeps reading. */
export async function readFreeOrder(
  deps: Pick<Deps, 'db' | 'appSecret' | 'clock'>,
  { handle }: { handle: string },
): Promise<FreeOrder> {
  const ref = orderOfLink(deps, handle);
  checkoutQueueOf(deps.db).notePoll(ref, deps.clock.now());
  const order = await shownFreeOrder(deps.db, ref, deps.clock.now());
  return signedOrder(deps.appSecret, LINK_PURPOSE, handle) ? { ...order, sentTo: null } : order;
}

export const reservedUntil = ({ createdAt }: { createdAt: Date }): Date =>
  new Date(createdAt.getTime() + FREE_ORDER_MINUTES * 60_000);

export async function shownFreeOrder(db: Db, ref: OrderRef, now: Date): Promise<FreeOrder> {
  const [order, lines] = await Promise.all([findFreeOrder(db, ref), findOrderLines(db, ref)]);
  if (!order) throw new AppError('checkout.unknown');
  const { title, city, timezone, startsAt, email, sentAt, state } = order;
  const isHeld = state === 'reserved' && order.reservationExpiresAt > now;
  return {
    eventId: ref.eventId,
    title,
    city,
    timezone,
    startsAt: startsAt.toISOString(),
    tickets: lines.map(({ ticketName, quantity }, index) => ({ position: index + 1, ticketName, quantity })),
    status: state === 'paid' ? 'confirmed' : isHeld ? 'unconfirmed' : 'expired',
    reservedUntil: reservedUntil(order).toISOString(),
    sentTo: email === null || sentAt === null ? null : { email, at: sentAt.toISOString() },
  };
}

/** Where an address finds the free tickets of the event that it has already. */
export async function earlierOrderUrl(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'appSecret'>,
  address: { eventId: string; email: string },
): Promise<string | null> {
  const earlier = await findEarlierOrder(deps.db, address);
  return earlier ? orderUrl(deps, { eventId: address.eventId, orderId: earlier.orderId }) : null;
}

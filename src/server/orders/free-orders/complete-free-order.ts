import { randomBytes } from 'node:crypto';
import type { OrderRef } from '#domain/order.ts';
import { sellOrder } from '#server/orders/core/complete.sql.ts';
import type { lockEventOnSale } from '#server/orders/core/orders.sql.ts';
import { orderUrl } from '#server/orders/order-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findEarlierOrder, lockAddress } from './free-orders.sql.ts';

export type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockEventOnSale>>>;

const FREE_SESSION = 'free_';

/** Stripe doesn't know it. */
export const isFreeSession = (sessionId: string): boolean => sessionId.startsWith(FREE_SESSION);

/** 24 characters. Opens the confirmation page, as a checkout session does. */
const newSessionId = () => FREE_SESSION + randomBytes(18).toString('base64url');

/** Issues the tickets to an address that is proved. The caller holds the locks of the event and of the order, which is reserved. */
export async function completeFreeOrder(
  tx: Db,
  event: LockedEvent,
  { eventId, orderId, email }: OrderRef & { email: string },
): Promise<string> {
  if (event.cancelledAt) throw new AppError('checkout.event-cancelled');
  if (event.payoutRequestedAt) throw new AppError('checkout.event-ended');
  if (!event.allowsRepeatedFreeOrders) {
    await lockAddress(tx, { eventId, email });
    if (await findEarlierOrder(tx, { eventId, email })) throw new AppError('free-order.has-tickets');
  }
  const sessionId = newSessionId();
  const unpaid = { buyerName: null, paymentId: null, cents: 0, feeCents: null, cardHash: null };
  await sellOrder(tx, { eventId, orderId, sessionId, buyerEmail: email, ...unpaid }, event.now);
  return sessionId;
}

/** Where an address finds the free tickets of the event that it has already. */
export async function earlierOrderUrl(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'appSecret'>,
  address: { eventId: string; email: string },
): Promise<string | null> {
  const earlier = await findEarlierOrder(deps.db, address);
  return earlier ? orderUrl(deps, { eventId: address.eventId, ...earlier }) : null;
}

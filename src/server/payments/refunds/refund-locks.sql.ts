/** Locks of refunds, in the order of platform/locks.ts. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import { lockOrder } from '#server/orders/core/orders.sql.ts';
import { lockStock } from '#server/orders/core/stock.sql.ts';
import type { Db } from '#server/platform/database.ts';

/** Blocks cancelling, editing and paying out the event. */
export async function lockEventForRefund(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['latestEndsAt', 'cancelledAt', 'payoutRequestedAt', sql<Date>`business_now()`.as('now')])
    .forShare()
    .executeTakeFirst();
}

export type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrderForRefund>>>;

/** Locks the event, the order's ticket types and the order. */
export async function lockOrderForRefund(db: Db, { eventId, orderId }: OrderRef) {
  const event = await lockEventForRefund(db, eventId);
  if (!event) return undefined;
  await lockStock(db, { eventId, orderId });
  const order = await lockOrder(db, { eventId, orderId });
  const { latestEndsAt, cancelledAt, payoutRequestedAt, now } = event;
  return order && { eventId, orderId, ...order, latestEndsAt, cancelledAt, payoutRequestedAt, now };
}

export async function orderOfTicket(db: Db, eventId: string, confirmationNumber: string) {
  const ticket = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', confirmationNumber)
    .select('orderId')
    .executeTakeFirst();
  return ticket?.orderId;
}

/** Ends claimed refunds of an order that has nothing left to refund. */
export async function refuseClaimedRefunds(
  db: Db,
  { eventId, orderId }: OrderRef,
  failureReason: string,
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ state: 'refused', failureReason, endedAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('state', '=', 'claimed')
    .execute();
}

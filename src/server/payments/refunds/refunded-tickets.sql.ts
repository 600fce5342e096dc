/** Locks and ticket changes of refunds. Lock order: event, ticket types, order, refunds, tickets. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

/** Blocks cancelling, editing and paying out the event. */
export async function lockEventForRefund(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['latestEndsAt', 'cancelledAt', sql<Date>`business_now()`.as('now')])
    .forShare()
    .executeTakeFirst();
}

export type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrderForRefund>>>;

/** Locks the event, the order's ticket types and the order. */
export async function lockOrderForRefund(db: Db, { eventId, orderId }: OrderRef) {
  const event = await lockEventForRefund(db, eventId);
  if (!event) return undefined;
  const types = db.selectFrom('orderLines').where('eventId', '=', eventId).where('orderId', '=', orderId);
  await db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('id', 'in', types.select('ticketTypeId'))
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const order = await lockOrder(db, { eventId, orderId });
  return order && { eventId, orderId, ...order, cancelledAt: event.cancelledAt, now: event.now };
}

export async function lockOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select(['state', 'buyerEmail'])
    .forNoKeyUpdate()
    .executeTakeFirst();
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

/** Locked so that a check-in and a refund can't both succeed. */
export async function lockTicket(db: Db, eventId: string, confirmationNumber: string) {
  return db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', confirmationNumber)
    .select(['id', 'orderId', 'priceCents', 'state'])
    .forUpdate()
    .executeTakeFirst();
}

export async function setTicketsState(
  db: Db,
  eventId: string,
  ticketIds: readonly string[],
  state: 'refunding' | 'refunded',
): Promise<void> {
  await db.updateTable('tickets').set({ state }).where('eventId', '=', eventId).where('id', 'in', ticketIds).execute();
}

export async function restoreTicket(db: Db, eventId: string, ticketId: string): Promise<void> {
  await db
    .updateTable('tickets')
    .set({ state: 'valid' })
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .where('state', '=', 'refunding')
    .execute();
}

export async function releaseStock(db: Db, eventId: string, ticketTypeId: string, count: number): Promise<void> {
  await db
    .updateTable('ticketTypes')
    .set((column) => ({ reserved: column('reserved', '-', count) }))
    .where('eventId', '=', eventId)
    .where('id', '=', ticketTypeId)
    .execute();
}

/** Returns the stock to release per ticket type. A scanned ticket keeps its stock, because its guest is inside. */
export async function voidTickets(db: Db, { eventId, orderId }: OrderRef) {
  const { rows } = await sql<{ ticketTypeId: string; quantity: number }>`
    with locked as (
      select id from tickets
       where event_id = ${eventId} and order_id = ${orderId} and state in ('valid', 'scanned', 'refunding')
       order by id for update
    ), voided as (
      update tickets t set state = 'void', disputed_at = null
        from locked where t.event_id = ${eventId} and t.id = locked.id
      returning t.ticket_type_id, t.scanned_at
    )
    select ticket_type_id, count(*) filter (where scanned_at is null)::int as quantity
      from voided group by ticket_type_id order by ticket_type_id`.execute(db);
  return rows;
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

import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import type { NumberedTicket, Schema } from '#server/platform/schema.ts';

/** The event as a checkout needs it; locked against being edited or cancelled until the order stands. */
export async function lockEventOnSale(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['id', 'title', 'endsAt', 'cancelledAt', sql<Date>`business_now()`.as('now')])
    .forShare()
    .executeTakeFirst();
}

/** One statement decides: it takes all of the tickets, or, when too few are left, none. */
export async function reserveTickets(
  db: Db,
  eventId: string,
  ticketTypeId: string,
  quantity: number,
): Promise<boolean> {
  const { rows } = await sql`
    update ticket_types
       set reserved = reserved + ${quantity}
     where event_id = ${eventId}
       and id = ${ticketTypeId}
       and removed_at is null
       and quantity - reserved >= ${quantity}
    returning id`.execute(db);
  return rows.length === 1;
}

export async function releaseTickets(db: Db, eventId: string, ticketTypeId: string, quantity: number): Promise<void> {
  await db
    .updateTable('ticketTypes')
    .set((column) => ({ reserved: column('reserved', '-', quantity) }))
    .where('eventId', '=', eventId)
    .where('id', '=', ticketTypeId)
    .execute();
}

/** The rows of an order's stock, held before its order is: everyone who holds both takes them in this order. */
export async function lockStockOf(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  const types = db.selectFrom('orderLines').where('eventId', '=', eventId).where('orderId', '=', orderId);
  await db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('id', 'in', types.select('ticketTypeId'))
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function lockOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select(['id', 'state', 'totalCents', 'sessionId', 'paymentId', 'buyerEmail', 'receivedCents', 'quarantine'])
    .forUpdate()
    .executeTakeFirst();
}

/** In the order of the buyer's cart. Stock rows are locked in another order: see `lockStockOf`. */
export async function linesOf(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orderLines')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['ticketTypeId', 'ticketName', 'unitPriceCents', 'quantity'])
    .orderBy('position')
    .execute();
}

export async function setOrderState(
  db: Db,
  { eventId, orderId }: OrderRef,
  change: Partial<Omit<Schema['orders'], 'eventId' | 'id' | 'cartId' | 'totalCents' | 'createdAt'>>,
): Promise<void> {
  await db.updateTable('orders').set(change).where('eventId', '=', eventId).where('id', '=', orderId).execute();
}

export type NewTicket = Omit<Schema['tickets'], 'state' | 'scannedAt' | 'scannedBy' | 'scanId' | 'disputedAt'>;

/** Inserts what it can; a ticket whose number is already in use for the event is left out. */
export async function insertTickets(db: Db, tickets: readonly NewTicket[]): Promise<number> {
  const inserted = await db
    .insertInto('tickets')
    .values([...tickets])
    .onConflict((conflict) => conflict.columns(['eventId', 'confirmationNumber']).doNothing())
    .returning('id')
    .execute();
  return inserted.length;
}

export async function sessionIdOf(db: Db, { eventId, orderId }: OrderRef): Promise<string | null> {
  const order = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select('sessionId')
    .executeTakeFirst();
  return order?.sessionId ?? null;
}

export async function orderOfSession(db: Db, sessionId: string) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .where('o.sessionId', '=', sessionId)
    .select([
      'o.eventId',
      'o.id as orderId',
      'o.state',
      'o.buyerEmail',
      'e.title',
      'e.city',
      'e.timezone',
      'e.startsAt',
      'e.latestEndsAt',
    ])
    .executeTakeFirst();
}

/** An order's tickets that still let someone in. */
export async function confirmationsOf(db: Db, { eventId, orderId }: OrderRef) {
  const numbered = sql<NumberedTicket>`tickets_of_order(${eventId}, ${orderId})`.as('numbered');
  return db
    .selectFrom(numbered)
    .innerJoin('tickets as t', 't.id', 'numbered.ticketId')
    .where('t.eventId', '=', eventId)
    .where('t.state', 'in', ['valid', 'scanned'])
    .select(['t.ticketName', 't.confirmationNumber', 'numbered.position', 'numbered.orderSize as of'])
    .orderBy('numbered.position')
    .execute();
}

/**
 * Holds that are over and have a payment page. Those that waited longest since their last try come first: however many
 * cannot be ended, the others get their turn.
 */
export async function takeLapsedOrders(db: Db, limit: number): Promise<OrderRef[]> {
  const { rows } = await sql<OrderRef>`
    update orders o
       set end_tried_at = business_now()
      from (select event_id, id from orders
             where state = 'held' and session_id is not null and hold_expires_at <= business_now()
             order by end_tried_at nulls first, hold_expires_at
             limit ${limit}
               for no key update skip locked) lapsed
     where o.event_id = lapsed.event_id and o.id = lapsed.id
    returning o.event_id, o.id as order_id`.execute(db);
  return rows;
}

/** An order with what is known of its payment. */
function orders(db: Db) {
  return db
    .selectFrom('orders as o')
    .select(['o.eventId', 'o.id as orderId', 'o.state', 'o.paymentId'])
    .select(
      sql<boolean>`o.total_cents = 0 or exists (
        select from ledger_entries l where l.event_id = o.event_id and l.subject_id = o.id and l.kind = 'card-fee')`.as(
        'hasFee',
      ),
    );
}

export function orderNamed(db: Db, { eventId, orderId }: OrderRef) {
  return orders(db).where('o.eventId', '=', eventId).where('o.id', '=', orderId).executeTakeFirst();
}

export function orderOfPayment(db: Db, paymentId: string) {
  return orders(db).where('o.paymentId', '=', paymentId).executeTakeFirst();
}

/** The event's orders that somebody may still be paying for, or will once their page is there. */
export async function reservedOrders(db: Db, eventId: string): Promise<OrderRef[]> {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('state', '=', 'held')
    .select(['eventId', 'id as orderId'])
    .execute();
}

/** What has gone back of an order already, or is on its way. */
export async function refundedOrSentCents(db: Db, { eventId, orderId }: OrderRef): Promise<number> {
  const { cents } = await db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('state', 'in', ['claimed', 'sent'])
    .select(sql<number>`coalesce(sum(cents), 0)::int`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}

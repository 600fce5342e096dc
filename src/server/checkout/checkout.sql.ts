import { sql } from 'kysely';
import type { Db } from '#server/database.ts';
import type { Schema } from '#server/schema.ts';

export interface OrderRef {
  eventId: string;
  orderId: string;
}

/** The event as a checkout needs it; locked against being edited or cancelled until the order stands. */
export async function lockEventOnSale(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['id', 'title', 'endsAt', 'cancelledAt', sql<Date>`business_now()`.as('now')])
    .forShare()
    .executeTakeFirst();
}

export async function ticketTypesOf(db: Db, eventId: string) {
  return db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .select(['id', 'name', 'priceCents'])
    .execute();
}

export interface NewOrder extends OrderRef {
  totalCents: number;
  holdExpiresAt: Date;
  createdAt: Date;
  lines: readonly { ticketTypeId: string; ticketName: string; unitPriceCents: number; quantity: number }[];
}

export async function insertOrder(db: Db, { lines, orderId, ...order }: NewOrder): Promise<void> {
  await db
    .insertInto('orders')
    .values({ ...order, id: orderId, state: 'held' })
    .execute();
  await db
    .insertInto('orderLines')
    .values(lines.map((line) => ({ ...line, orderId, eventId: order.eventId })))
    .execute();
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

export async function giveBackTickets(db: Db, eventId: string, ticketTypeId: string, quantity: number): Promise<void> {
  await db
    .updateTable('ticketTypes')
    .set((column) => ({ reserved: column('reserved', '-', quantity) }))
    .where('eventId', '=', eventId)
    .where('id', '=', ticketTypeId)
    .execute();
}

export async function recordSession(
  db: Db,
  { eventId, orderId }: OrderRef,
  session: { sessionId: string; url: string | null },
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ sessionId: session.sessionId, sessionUrl: session.url })
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .execute();
}

export async function lockOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select(['id', 'state', 'totalCents', 'sessionId'])
    .forUpdate()
    .executeTakeFirst();
}

/** In the order of their ids: everyone who changes stock takes the rows in this order, so nobody waits in a circle. */
export async function linesOf(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orderLines')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['ticketTypeId', 'ticketName', 'unitPriceCents', 'quantity'])
    .orderBy('ticketTypeId')
    .execute();
}

export async function setOrderState(
  db: Db,
  { eventId, orderId }: OrderRef,
  change: Partial<Pick<Schema['orders'], 'state' | 'paymentId' | 'buyerEmail' | 'paidAt'>>,
): Promise<void> {
  await db.updateTable('orders').set(change).where('eventId', '=', eventId).where('id', '=', orderId).execute();
}

export type NewTicket = Omit<Schema['tickets'], 'state' | 'scannedAt' | 'scannedBy'>;

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
    ])
    .executeTakeFirst();
}

export async function confirmationsOf(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('state', 'in', ['valid', 'scanned'])
    .select(['ticketName', 'confirmationNumber'])
    .orderBy('id')
    .execute();
}

/**
 * Holds that are over, or whose payment page was never handed out because the process ended first.
 * Oldest first, so that one that cannot be settled does not keep the others waiting for ever.
 */
export async function lapsedOrders(db: Db, limit: number) {
  return db
    .selectFrom('orders')
    .where('state', '=', 'held')
    .where((where) =>
      where.or([
        where('holdExpiresAt', '<=', sql<Date>`business_now()`),
        where.and([
          where('sessionId', 'is', null),
          where('createdAt', '<=', sql<Date>`business_now() - interval '2 minutes'`),
        ]),
      ]),
    )
    .select(['eventId', 'id as orderId', 'sessionId'])
    .orderBy('holdExpiresAt')
    .limit(limit)
    .execute();
}

export async function insertNotice(
  db: Db,
  notice: {
    id: string;
    type: string;
    eventId: string | null;
    orderId: string | null;
    payload: unknown;
    receivedAt: Date;
  },
): Promise<boolean> {
  const inserted = await db
    .insertInto('webhookInbox')
    .values({ ...notice, payload: JSON.stringify(notice.payload) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function openNotice(db: Db, noticeId: string) {
  return db
    .selectFrom('webhookInbox')
    .where('id', '=', noticeId)
    .where('processedAt', 'is', null)
    .select(['id', 'type', 'eventId', 'orderId'])
    .executeTakeFirst();
}

export async function markNoticeProcessed(db: Db, noticeId: string, at: Date): Promise<void> {
  await db.updateTable('webhookInbox').set({ processedAt: at }).where('id', '=', noticeId).execute();
}

/** The event's orders that somebody may still be paying for. */
export async function heldOrders(db: Db, eventId: string) {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('state', '=', 'held')
    .select(['eventId', 'id as orderId', 'sessionId'])
    .execute();
}

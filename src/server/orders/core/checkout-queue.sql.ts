/** The checkout queue: orders waiting for a payment page, at a limited rate. The SQL functions document their contracts. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import {
  DETAILS_MINUTES,
  FREE_ORDER_MINUTES,
  PAYMENT_PAGE_MIN_MINUTES,
  PAYMENT_PAGE_MINUTES,
  UNPAID_RESERVATION_MINUTES,
  WAITING_BUYER_MINUTES,
} from '#domain/reservation-times.ts';
import type { Db } from '#server/platform/database.ts';
import { findOrderLines } from './orders.sql.ts';

/** Longer than a Stripe call takes with all its retries. */
const CLAIM_SECONDS = 90;

/**
 * Returns the order's queue position, a new last one if it has none. `waitSeconds` delays the first attempt, which uses a
 * new idempotency key, because a previous Stripe call may still be running.
 */
export async function joinQueue(db: Db, { eventId, orderId }: OrderRef, waitSeconds = 0): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    insert into checkout_queue (event_id, order_id, attempt, not_before)
    values (${eventId}, ${orderId}, 1, clock_timestamp() + make_interval(secs => ${waitSeconds}))
        on conflict (event_id, order_id) do update set order_id = excluded.order_id
    returning position`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('joining the checkout queue returned no position');
  return row.position;
}

/** Pauses the queue for `seconds`. */
export async function pausePaymentPages(db: Db, perSecond: number, seconds: number): Promise<void> {
  await sql`update checkout_rate set tokens = least(tokens, ${-perSecond * seconds}::float8)`.execute(db);
}

export interface QueuedOrder extends OrderRef {
  attempt: number;
  pageEndsAt: Date;
}

/** Claims the orders that are due, and tells when to check next; `waitMs` is `null` while the queue is empty. */
export async function dequeue(
  db: Db,
  atMost: number,
  perSecond: number,
): Promise<{ orders: QueuedOrder[]; waitMs: number | null }> {
  const { rows } = await sql<{
    eventId: string | null;
    orderId: string | null;
    attempt: number;
    pageEndsAt: Date;
    waitMs: number;
  }>`
    select * from dequeue_checkouts(
      ${atMost}, ${perSecond}, ${PAYMENT_PAGE_MINUTES}, ${PAYMENT_PAGE_MIN_MINUTES * 60}, ${CLAIM_SECONDS})`.execute(
    db,
  );
  const orders = rows.flatMap(({ eventId, orderId, attempt, pageEndsAt }) =>
    eventId !== null && orderId !== null ? [{ eventId, orderId, attempt, pageEndsAt }] : [],
  );
  return { orders, waitMs: rows[0]?.waitMs ?? null };
}

/** The order details that Stripe shows on the payment page. */
export async function findOrderForPage(db: Db, order: OrderRef) {
  const { title } = await db
    .selectFrom('events')
    .where('id', '=', order.eventId)
    .select('title')
    .executeTakeFirstOrThrow();
  return { eventTitle: title, lines: await findOrderLines(db, order) };
}

/** Retries after a delay, at the same position. `isNewCall` changes the idempotency key, because Stripe replays an error for the old one. */
export async function postpone(
  db: Db,
  { eventId, orderId }: OrderRef,
  { seconds, isNewCall }: { seconds: number; isNewCall: boolean },
): Promise<void> {
  await sql`
    update checkout_queue
       set not_before = clock_timestamp() + make_interval(secs => ${seconds}), attempt = attempt + ${isNewCall ? 1 : 0}
     where event_id = ${eventId} and order_id = ${orderId}`.execute(db);
}

export async function leaveQueue(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await db.deleteFrom('checkoutQueue').where('eventId', '=', eventId).where('orderId', '=', orderId).execute();
}

export interface QueuedEvent {
  eventId: string;
  /** Of its orders, sorted. */
  positions: Float64Array;
}

/** The events in the queue, the next one to be served first. One string is cheaper than letting the driver parse an array of numbers. */
export async function queuedEvents(db: Db): Promise<QueuedEvent[]> {
  const { rows } = await sql<{ eventId: string; positions: string }>`
    select q.event_id, string_agg(q.position::text, ',' order by q.position) as positions
      from checkout_queue q
     group by q.event_id
     order by q.event_id <= (select coalesce(last_event, '') from checkout_rate), q.event_id`.execute(db);
  return rows.map(({ eventId, positions }) => ({
    eventId,
    positions: Float64Array.from(positions.split(','), Number),
  }));
}

/** Extends the reservations of orders without a payment page whose buyers still poll. */
export async function extendReservations(db: Db, orders: readonly OrderRef[]): Promise<void> {
  await sql`
    update orders o
       set reservation_expires_at = least(
             business_now() + make_interval(mins => ${UNPAID_RESERVATION_MINUTES}),
             case when o.total_cents = 0 then o.created_at + make_interval(mins => ${FREE_ORDER_MINUTES})
                  when o.form_version is not null and o.details_at is null then o.created_at + make_interval(mins => ${DETAILS_MINUTES}) end)
      from unnest(${eventsOf(orders)}::text[], ${idsOf(orders)}::uuid[]) as asked (event_id, id)
     where o.event_id = asked.event_id and o.id = asked.id
       and o.state = 'reserved' and o.session_id is null
       and o.reservation_expires_at between business_now() and business_now() + make_interval(mins => ${WAITING_BUYER_MINUTES}, secs => 50)`.execute(
    db,
  );
}

/** Whether the payment page of one order may open now, without joining the queue. */
export async function takePageToken(db: Db, perSecond: number): Promise<boolean> {
  const { rows } = await sql<{ tokens: number }>`select take_page_tokens(1, ${perSecond}) as tokens`.execute(db);
  return rows[0]?.tokens === 1;
}

/** The current state of an order that was queued. */
export async function queuedOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders as o')
    .leftJoin('checkoutQueue as l', (join) => join.onRef('l.eventId', '=', 'o.eventId').onRef('l.orderId', '=', 'o.id'))
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select(['o.state', 'o.sessionId', 'o.sessionUrl', 'l.position'])
    .select(sql<boolean>`o.reservation_expires_at <= business_now()`.as('isOver'))
    .executeTakeFirst();
}

const eventsOf = (orders: readonly OrderRef[]) => orders.map((order) => order.eventId);
const idsOf = (orders: readonly OrderRef[]) => orders.map((order) => order.orderId);

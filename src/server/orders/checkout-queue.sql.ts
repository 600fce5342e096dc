/** The pace of payment pages, and who waits for one. What the functions promise stands in the migration. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import {
  PAYMENT_PAGE_MIN_MINUTES,
  PAYMENT_PAGE_MINUTES,
  UNPAID_RESERVATION_MINUTES,
  WAITING_BUYER_MINUTES,
} from '#domain/reservation-times.ts';
import type { Db } from '#server/platform/database.ts';
import { linesOf } from './orders.sql.ts';

/**
 * A place at the end, whatever the pace allows, or the place that it has. A call may have been made before, and may still be under
 * way: the next one waits for a while, and has a key of its own.
 */
export async function joinQueue(db: Db, { eventId, orderId }: OrderRef, waitSeconds = 0): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    insert into payment_line (event_id, order_id, attempt, not_before)
    values (${eventId}, ${orderId}, 1, clock_timestamp() + make_interval(secs => ${waitSeconds}))
        on conflict (event_id, order_id) do update set order_id = excluded.order_id
    returning place`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an order got no place in line');
  return row.place;
}

/** Nobody opens a page for so many seconds. */
export async function pausePaymentPages(db: Db, perSecond: number, seconds: number): Promise<void> {
  await sql`update payment_pace set tokens = least(tokens, ${-perSecond * seconds}::float8)`.execute(db);
}

export interface QueuedOrder extends OrderRef {
  attempt: number;
  pageEndsAt: Date;
}

/** Longer than a call to the card company takes with all its repetitions. */
const TAKEN_SECONDS = 90;

/** Those whose turn it is, and when the next look is worth it; `null` while nobody waits. */
export async function dequeue(
  db: Db,
  atMost: number,
  perSecond: number,
): Promise<{ turns: QueuedOrder[]; waitMs: number | null }> {
  const { rows } = await sql<{
    eventId: string | null;
    orderId: string | null;
    attempt: number;
    pageEndsAt: Date;
    waitMs: number;
  }>`
    select * from take_payment_turns(
      ${atMost}, ${perSecond}, ${PAYMENT_PAGE_MINUTES}, ${PAYMENT_PAGE_MIN_MINUTES * 60}, ${TAKEN_SECONDS})`.execute(
    db,
  );
  const turns = rows.flatMap(({ eventId, orderId, attempt, pageEndsAt }) =>
    eventId !== null && orderId !== null ? [{ eventId, orderId, attempt, pageEndsAt }] : [],
  );
  return { turns, waitMs: rows[0]?.waitMs ?? null };
}

/** What the card company is told of an order. */
export async function orderOnPage(db: Db, order: OrderRef) {
  const { title } = await db
    .selectFrom('events')
    .where('id', '=', order.eventId)
    .select('title')
    .executeTakeFirstOrThrow();
  return { eventTitle: title, lines: await linesOf(db, order) };
}

/** Tries again after a while; its place is kept. Under a new key where the card company keeps an error under the old one. */
export async function postpone(
  db: Db,
  { eventId, orderId }: OrderRef,
  { seconds, isNewCall }: { seconds: number; isNewCall: boolean },
): Promise<void> {
  await sql`
    update payment_line
       set not_before = clock_timestamp() + make_interval(secs => ${seconds}), attempt = attempt + ${isNewCall ? 1 : 0}
     where event_id = ${eventId} and order_id = ${orderId}`.execute(db);
}

export async function leaveQueue(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await db.deleteFrom('paymentLine').where('eventId', '=', eventId).where('orderId', '=', orderId).execute();
}

/** The places of all who wait, in order. As one text, because the driver would make a string of each number anyway. */
export async function queuePositions(db: Db): Promise<Float64Array> {
  const { rows } = await sql<{ places: string | null }>`
    select string_agg(place::text, ',' order by place) as places from payment_line`.execute(db);
  return Float64Array.from(rows[0]?.places?.split(',') ?? [], Number);
}

/** The tickets of these orders are kept: their buyers have asked for their pages. */
export async function extendReservations(db: Db, orders: readonly OrderRef[]): Promise<void> {
  await sql`
    update orders o
       set hold_expires_at = business_now() + make_interval(mins => ${UNPAID_RESERVATION_MINUTES})
      from unnest(${eventsOf(orders)}::text[], ${idsOf(orders)}::uuid[]) as asked (event_id, id)
     where o.event_id = asked.event_id and o.id = asked.id
       and o.state = 'held' and o.session_id is null
       and o.hold_expires_at between business_now() and business_now() + make_interval(mins => ${WAITING_BUYER_MINUTES}, secs => 50)`.execute(
    db,
  );
}

/** What has become of an order that stood in line. */
export async function queuedOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders as o')
    .leftJoin('paymentLine as l', (join) => join.onRef('l.eventId', '=', 'o.eventId').onRef('l.orderId', '=', 'o.id'))
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select(['o.state', 'o.sessionId', 'o.sessionUrl', 'l.place'])
    .select(sql<boolean>`o.hold_expires_at <= business_now()`.as('isOver'))
    .executeTakeFirst();
}

interface Page {
  sessionId: string;
  url: string | null;
  endsAt: Date;
}

/** The hold is the page's from here on, and nobody waits any more. False when the tickets are no longer held, or another page is known. */
export async function recordPage(
  db: Db,
  { eventId, orderId }: OrderRef,
  { sessionId, url, endsAt }: Page,
): Promise<boolean> {
  const { rows } = await sql`
    with recorded as (
      update orders
         set session_id = ${sessionId}, session_url = ${url}, hold_expires_at = ${endsAt}
       where event_id = ${eventId} and id = ${orderId} and state = 'held' and session_id is null
      returning event_id, id),
    gone as (
      delete from payment_line l using recorded where l.event_id = recorded.event_id and l.order_id = recorded.id)
    select from recorded`.execute(db);
  return rows.length === 1;
}

export interface Released {
  holds: number;
  /** The latest end among them. */
  reached: Date | null;
}

/** `null` when another server is at it, and that is not waited for. */
export async function releaseUnopenedOrders(
  db: Db,
  {
    atMost,
    since = null,
    eventId = null,
    waits = false,
  }: { atMost: number; since?: Date | null; eventId?: string | null; waits?: boolean },
): Promise<Released | null> {
  const { rows } = await sql<Released>`
    select * from give_back_unopened(
      ${atMost}, coalesce(${since}::timestamptz, '-infinity'), ${eventId}::text, ${waits})`.execute(db);
  return rows[0] ?? null;
}

const eventsOf = (orders: readonly OrderRef[]) => orders.map((order) => order.eventId);
const idsOf = (orders: readonly OrderRef[]) => orders.map((order) => order.orderId);

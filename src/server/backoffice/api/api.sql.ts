/** What programs read, in pages that a walk can follow: a row keeps its place in its list. */
import { sql } from 'kysely';
import { isPaidOut, isSoldOut } from '#server/backoffice/workspace/workspace.sql.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';

export type Reach = Pick<Actor, 'organizationId' | 'onlyEventIds'>;

export interface Page {
  /** Null before the first row. */
  after: string | null;
  limit: number;
}

/** By creation. The event at `after` may be gone. */
export async function eventsFrom(
  db: Db,
  reach: Reach,
  { seriesId, after, limit }: { seriesId: string | undefined; after: EventPlace | null; limit: number },
) {
  const all = reached(db, reach).select(sql<string>`created_at::text`.as('createdAtText'));
  const own = seriesId === undefined ? all : all.where('seriesId', '=', seriesId);
  const rest = after ? own.where(sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id})`) : own;
  return rest.orderBy('createdAt').orderBy('id').limit(limit).execute();
}

export interface EventPlace {
  /** As PostgreSQL writes it, with microseconds. */
  createdAt: string;
  id: string;
}

export async function reachedEvent(db: Db, reach: Reach, eventId: string) {
  return reached(db, reach).where('id', '=', eventId).executeTakeFirst();
}

export function reached(db: Db, reach: Reach) {
  return eventsWithin(db, reach)
    .selectAll()
    .select([sql<Date>`business_now()`.as('now'), isSoldOut.as('isSoldOut'), isPaidOut.as('isPaidOut')]);
}

function eventsWithin(db: Db, { organizationId, onlyEventIds }: Reach) {
  const own = db.selectFrom('events').where('organizationId', '=', organizationId);
  return onlyEventIds ? own.where('id', 'in', onlyEventIds) : own;
}

export async function typesOf(db: Db, eventId: string) {
  return db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .selectAll()
    .orderBy('position')
    .execute();
}

export async function organizationAddress(db: Db, organizationId: string) {
  const { rows } = await sql<{ name: string | null; slug: string | null }>`
    select name, case when has_page(o) then slug end as slug from organizations o where id = ${organizationId}`.execute(
    db,
  );
  return rows[0];
}

/** Ids of the events whose orders and tickets are read: each is walked by its own key, so a page costs no more than its rows. */
export async function reachedIds(db: Db, reach: Reach): Promise<string[]> {
  const events = await eventsWithin(db, reach).select('id').execute();
  return events.map(({ id }) => id);
}

export interface OrderRow {
  eventId: string;
  id: string;
  state: 'reserved' | 'expired' | 'paid' | 'unfulfillable' | 'needs-review';
  buyerName: string | null;
  buyerEmail: string | null;
  totalCents: number;
  createdAt: Date;
  paidAt: Date | null;
  /** Of the tax that its prices include. */
  taxRate: number;
}

export const ORDER = sql`o.event_id, o.id, o.state, o.buyer_name, o.buyer_email, o.total_cents, o.created_at, o.paid_at,
  coalesce((select x.rate from event_taxes x where x.event_id = o.event_id and x.since <= o.created_at
             order by x.since desc limit 1), 0) as tax_rate`;

/** By id, which begins with the time. */
export async function ordersFrom(db: Db, eventIds: readonly string[], { after, limit }: Page): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.*
      from unnest(${eventIds}::text[]) as e(id)
     cross join lateral (
       select ${ORDER} from orders o
        where o.event_id = e.id and (${after}::uuid is null or o.id > ${after}::uuid)
        order by o.id limit ${limit}) as o
     order by o.id limit ${limit}`.execute(db);
  return rows;
}

export async function orderOf(db: Db, eventIds: readonly string[], orderId: string): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    select ${ORDER} from orders o where o.event_id = any(${eventIds}::text[]) and o.id = ${orderId}`.execute(db);
  return rows[0];
}

export async function linesOf(db: Db, orders: readonly { eventId: string; id: string }[]) {
  if (orders.length === 0) return [];
  return db
    .selectFrom('orderLines as l')
    .leftJoin('promoCodes as p', (join) =>
      join.onRef('p.eventId', '=', 'l.eventId').onRef('p.id', '=', 'l.promoCodeId'),
    )
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('l.eventId', 'l.orderId'),
        'in',
        orders.map(({ eventId, id }) => tuple(eventId, id)),
      ),
    )
    .selectAll('l')
    .select('p.code as promoCode')
    .orderBy('l.orderId')
    .orderBy('l.position')
    .execute();
}

export interface TicketRow {
  eventId: string;
  id: string;
  orderId: string;
  ticketTypeId: string;
  ticketName: string;
  confirmationNumber: string;
  state: 'valid' | 'scanned' | 'refunding' | 'refunded' | 'void';
  disputedAt: Date | null;
  name: string | null;
  buyerEmail: string | null;
  priceCents: number;
  issuedAt: Date;
  scannedAt: Date | null;
}

export const TICKET = sql`t.event_id, t.id, t.order_id, t.ticket_type_id, t.ticket_name, t.confirmation_number, t.state, t.disputed_at, t.buyer_email,
  t.price_cents, t.issued_at, t.scanned_at,
  (select g.name from order_guests g where g.event_id = t.event_id and g.ticket_id = t.id) as name`;

export async function ticketsFrom(
  db: Db,
  eventIds: readonly string[],
  { orderId, after, limit }: Page & { orderId: string | null },
): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select t.*
      from unnest(${eventIds}::text[]) as e(id)
     cross join lateral (
       select ${TICKET} from tickets t
        where t.event_id = e.id and (${after}::uuid is null or t.id > ${after}::uuid)
          and (${orderId}::uuid is null or t.order_id = ${orderId}::uuid)
        order by t.id limit ${limit}) as t
     order by t.id limit ${limit}`.execute(db);
  return rows;
}

export async function ticketOf(db: Db, eventIds: readonly string[], ticketId: string): Promise<TicketRow | undefined> {
  const { rows } = await sql<TicketRow>`
    select ${TICKET} from tickets t where t.event_id = any(${eventIds}::text[]) and t.id = ${ticketId}`.execute(db);
  return rows[0];
}

/** From its first version on; 0 is a draft's. */
export async function versionsFrom(db: Db, eventId: string, { after, limit }: { after: number; limit: number }) {
  return db
    .selectFrom('eventPageVersions as v')
    .innerJoin('eventPageContents as c', (join) =>
      join.onRef('c.eventId', '=', 'v.eventId').onRef('c.hash', '=', 'v.hash'),
    )
    .where('v.eventId', '=', eventId)
    .where('v.version', '>', after)
    .select(['v.version', 'v.changedAt', 'v.isListed', 'c.content'])
    .orderBy('v.version')
    .limit(limit)
    .execute();
}

import { sql } from 'kysely';
import type { activities } from '#contract/app/records/overview.ts';
import type { Db } from '#server/platform/database.ts';

/** All types that are offered, and removed ones. */
export function typesOfEvent(db: Db, eventId: string) {
  return db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .select(['id', 'name', 'isAddOn', 'quantity', 'removedAt'])
    .orderBy('removedAt', (order) => order.asc().nullsFirst())
    .orderBy('position')
    .execute();
}

interface Counts {
  views: number;
  unsyncedScans: number;
}

export async function countsOf(db: Db, eventId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select coalesce(sum(views), 0)::int from event_views where event_id = ${eventId}) as views,
           (select coalesce(sum(pending), 0)::int from check_in_devices where event_id = ${eventId}) as unsynced_scans`.execute(
    db,
  );
  return rows[0] ?? { views: 0, unsyncedScans: 0 };
}

/** Orders that buyers made, whatever became of their tickets. */
export async function countOrders(db: Db, eventId: string): Promise<number> {
  const { orders } = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('state', '=', 'paid')
    .where('compBatchId', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('orders'))
    .executeTakeFirstOrThrow();
  return orders;
}

export interface ActivityRow {
  what: (typeof activities)[number];
  at: Date;
  name: string | null;
  email: string;
  tickets: number;
  ticketId: string;
}

/** Enough for the latest orders at their largest. */
const TICKETS_READ = 1000;

/** The latest orders, and the latest refunds by order. */
export async function latestOrders(db: Db, eventId: string, limit: number): Promise<ActivityRow[]> {
  const { rows } = await sql<ActivityRow>`
    with issued as (
      select order_id, count(*)::int as tickets, max(issued_at) as at, (array_agg(id order by id))[1] as ticket_id
        from latest_tickets(${eventId}, ${TICKETS_READ})
       group by order_id order by at desc limit ${limit}),
    refunded as (
      select order_id, reason, count(*)::int as tickets, max(created_at) as at, (array_agg(ticket_id order by id))[1] as ticket_id
        from latest_refunds(${eventId}, ${TICKETS_READ})
       group by order_id, reason order by at desc limit ${limit})
    select case when o.comp_batch_id is null then 'bought' else 'added' end as what, i.at, i.tickets, i.ticket_id,
           case when o.comp_batch_id is null then o.buyer_name else coalesce(g.name, o.buyer_name) end as name,
           coalesce(o.buyer_email, '') as email
      from issued i
      join orders o on o.event_id = ${eventId} and o.id = i.order_id
      left join order_guests g on g.event_id = ${eventId} and g.ticket_id = i.ticket_id
    union all
    select case r.reason when 'withdrawn' then 'withdrawn' else 'refunded' end, r.at, r.tickets, r.ticket_id, ${LISTED_NAME},
           coalesce(t.buyer_email, '')
      from refunded r
      join tickets t on t.event_id = ${eventId} and t.id = r.ticket_id
      join orders o on o.event_id = ${eventId} and o.id = r.order_id
      left join order_guests g on g.event_id = ${eventId} and g.ticket_id = t.id`.execute(db);
  return rows;
}

/** A guest without a name goes by that of the buyer. */
const LISTED_NAME = sql`coalesce(g.name, case when t.transferred_count = 0 then o.buyer_name end)`;

/** Reads all checked-in tickets of the event. */
export async function latestCheckIns(db: Db, eventId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tickets where event_id = ${eventId} and state = 'scanned' order by scanned_at desc, id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export interface Arrivals {
  from: Date;
  admitted: number;
}

/** The quarter of an hour with the most guests, the first of several. Reads all checked-in tickets. */
export async function busiestQuarter(db: Db, eventId: string): Promise<Arrivals | null> {
  const { rows } = await sql<Arrivals>`
    select date_bin('15 minutes', t.scanned_at, timestamptz '2000-01-01 00:00:00+00') as "from", count(*)::int as admitted
      from tickets t
     where t.event_id = ${eventId} and t.state = 'scanned'
       and t.ticket_type_id not in (select id from ticket_types where event_id = ${eventId} and is_add_on)
     group by 1 order by 2 desc, 1 limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Those of the tickets that are still checked in. */
export async function checkInsOf(db: Db, eventId: string, ticketIds: readonly string[]): Promise<ActivityRow[]> {
  if (ticketIds.length === 0) return [];
  const { rows } = await sql<ActivityRow>`
    select 'checked-in' as what, t.scanned_at as at, 1 as tickets, t.id as ticket_id, ${LISTED_NAME} as name,
           coalesce(t.buyer_email, '') as email
      from tickets t
      join orders o on o.event_id = ${eventId} and o.id = t.order_id
      left join order_guests g on g.event_id = ${eventId} and g.ticket_id = t.id
     where t.event_id = ${eventId} and t.id = any (${[...ticketIds]}::uuid[]) and t.state = 'scanned'`.execute(db);
  return rows;
}

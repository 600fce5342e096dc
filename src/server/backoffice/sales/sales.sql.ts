/** What the sales report adds up: see `domain/reports/sales-report.ts`. */
import { sql } from 'kysely';
import type { Reversal, SalesCell } from '#domain/reports/sales-report.ts';
import type { Db } from '#server/platform/database.ts';

interface OfEvent {
  eventId: string;
  timezone: string;
}

/** `lastDay` is the one on which it ends. */
export async function eventToReport(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['title', 'timezone', sql<string>`to_char(ends_at at time zone timezone, 'YYYY-MM-DD')`.as('lastDay')])
    .executeTakeFirst();
}

export async function soldCells(db: Db, { eventId, timezone }: OfEvent): Promise<SalesCell[]> {
  const { rows } = await sql<SalesCell>`
    select to_char(day, 'YYYY-MM-DD') as day, type, channel, link, code, tickets, gross_cents, discount_cents,
           0 as refunded_tickets, 0 as refunded_cents
      from sold_by_day(${eventId}, ${timezone})`.execute(db);
  return rows;
}

/** Of tickets. The money of one that failed afterwards is still the buyer's. */
export async function refundedCells(db: Db, { eventId, timezone }: OfEvent): Promise<SalesCell[]> {
  const { rows } = await sql<SalesCell>`
    select to_char(day, 'YYYY-MM-DD') as day, type, channel_of(is_import) as channel, link, code, 0 as tickets, 0 as gross_cents,
           0 as discount_cents, refunded_tickets, refunded_cents
      from (select (r.sent_at at time zone ${timezone})::date as day, t.ticket_type_id as type, b.is_import, o.link_id as link,
                   l.promo_code_id as code, count(*)::int as refunded_tickets, sum(r.cents)::bigint as refunded_cents
              from refunds r
              join tickets t on t.event_id = ${eventId} and t.id = r.ticket_id
              join orders o on o.event_id = ${eventId} and o.id = t.order_id
              join order_lines l on l.event_id = ${eventId} and l.order_id = t.order_id and l.id = t.order_line_id
              left join comp_batches b on b.event_id = ${eventId} and b.id = o.comp_batch_id
             where r.event_id = ${eventId} and r.state in ('sent', 'failed')
             group by 1, 2, 3, 4, 5) as refunded`.execute(db);
  return rows;
}

/** Refunds made at Stripe, and lost disputes, of orders with tickets: what they took from the organizer. The last one of an order voided its tickets. */
export async function reversals(db: Db, { eventId, timezone }: OfEvent): Promise<Reversal[]> {
  const { rows } = await sql<Reversal>`
    with taken as (
      select r.order_id, r.id, r.sent_at as at from refunds r
       where r.event_id = ${eventId} and r.reason = 'external' and r.state in ('sent', 'failed')
      union all
      select d.order_id, d.id, d.closed_at from disputes d where d.event_id = ${eventId} and d.state = 'lost'),
    ordered as (
      select order_id, id, at, row_number() over (partition by order_id order by at desc, id desc) = 1 as is_last from taken)
    select to_char(x.at at time zone ${timezone}, 'YYYY-MM-DD') as day, 'online' as channel, o.link_id as link,
           (select coalesce(sum(e.cents), 0)::bigint from ledger_entries e
             where e.event_id = ${eventId} and e.subject_id = x.id and e.account = 'organizer-payable'
               and e.kind in ('external-refund', 'dispute-lost')) as cents,
           (select json_agg(json_build_object('type', t.ticket_type_id, 'code', l.promo_code_id, 'cents', t.price_cents,
                                              'isRefunded', t.state = 'refunded', 'isVoided', x.is_last and t.state = 'void') order by t.id)
              from tickets t
              join order_lines l on l.event_id = ${eventId} and l.order_id = t.order_id and l.id = t.order_line_id
             where t.event_id = ${eventId} and t.order_id = o.id) as tickets
      from ordered x
      join orders o on o.event_id = ${eventId} and o.id = x.order_id and o.state = 'paid'`.execute(db);
  return rows;
}

interface UnderWay {
  tickets: number;
  cents: number;
}

/** Refunds that are not sent yet: their tickets are no longer valid. */
export async function refundsUnderWay(db: Db, eventId: string): Promise<UnderWay> {
  const { rows } = await sql<UnderWay>`
    select count(*)::int as tickets, coalesce(sum(price_cents), 0)::bigint as cents from tickets
     where event_id = ${eventId} and state = 'refunding'`.execute(db);
  return rows[0] ?? { tickets: 0, cents: 0 };
}

/** What the parts of a report are called, removed ones too. */
export async function partNames(db: Db, eventId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from ticket_types where event_id = ${eventId}
    union all select id, name from tracking_links where event_id = ${eventId}
    union all select id, code from promo_codes where event_id = ${eventId}`.execute(db);
  return rows;
}

interface LinkRow {
  linkId: string;
  name: string;
  slug: string;
  views: number;
  orders: number;
}

/** Without removed ones, oldest first. */
export async function linkRows(db: Db, eventId: string): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select l.id as link_id, l.name, l.slug, coalesce(v.views, 0)::int as views, coalesce(o.orders, 0)::int as orders
      from tracking_links l
      left join (select link_id, sum(views) as views from link_views where event_id = ${eventId} group by link_id) v on v.link_id = l.id
      left join (select link_id, count(*) as orders from orders
                  where event_id = ${eventId} and state = 'paid' and link_id is not null group by link_id) o on o.link_id = l.id
     where l.event_id = ${eventId} and l.removed_at is null
     order by l.created_at, l.id`.execute(db);
  return rows;
}

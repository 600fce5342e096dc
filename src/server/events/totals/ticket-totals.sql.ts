/** Sales totals without counting tickets: stored totals plus the changes not yet rolled up. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { advisoryLocks } from '#server/platform/locks.ts';

/** Advisory lock key, used only for rolling up. */

/** One row per ticket type with sales. */
export async function ticketTotals(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('ticketTotalsNow')
    .where('eventId', 'in', eventIds)
    .groupBy(['eventId', 'ticketTypeId'])
    .select((column) => [
      'eventId',
      'ticketTypeId',
      column.fn.sum<number>('issued').as('issued'),
      column.fn.sum<number>('sold').as('sold'),
      sql<number>`coalesce(sum(sold) filter (where price_cents = 0), 0)::int`.as('soldFree'),
      column.fn.sum<number>('scanned').as('scanned'),
      sql<number>`sum(sold * price_cents::bigint)::bigint`.as('grossCents'),
      column.fn.sum<number>('changes').as('changes'),
    ])
    .execute();
}

interface SoldOnDay {
  /** In the event's time zone. */
  day: string;
  sold: number;
  /** The hour of its first sale that was kept. */
  firstHour: Date;
}

/** Sold and kept tickets that admit, by the day on which they were issued. Oldest first; days without any are left out. */
export async function soldByDay(db: Db, eventId: string, timezone: string): Promise<SoldOnDay[]> {
  const { rows } = await sql<SoldOnDay>`
    select to_char(h.hour at time zone ${timezone}, 'YYYY-MM-DD') as day, sum(h.sold)::int as sold, min(h.hour) as first_hour
      from ticket_hours_now h
      join ticket_types y on y.event_id = ${eventId} and y.id = h.ticket_type_id and not y.is_add_on
     where h.event_id = ${eventId} and h.sold <> 0
     group by 1
    having sum(h.sold) <> 0
     order by 1`.execute(db);
  return rows;
}

/** Number of tickets ever issued, including refunded ones. */
export async function countIssued(db: Db, eventId: string): Promise<number> {
  const row = await db
    .selectFrom('ticketTotalsNow')
    .where('eventId', '=', eventId)
    .select((column) => column.fn.coalesce(column.fn.sum<number>('issued'), sql<number>`0`).as('issued'))
    .executeTakeFirst();
  return row?.issued ?? 0;
}

/** False when another process is rolling up. Held until the transaction ends. */
export async function claimRollUp(tx: Db): Promise<boolean> {
  const { rows } = await sql<{
    isMine: boolean;
  }>`select pg_try_advisory_xact_lock(${advisoryLocks.ticketTotals}) as is_mine`.execute(tx);
  return rows[0]?.isMine ?? false;
}

/** Deletes and adds in one statement, so that a concurrent reader counts each change once. */
export async function rollUpChanges(tx: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ rolledUp: number }>`
    with gone as (
      delete from ticket_total_changes
       where (event_id, id) in (select event_id, id from ticket_total_changes order by event_id, id limit ${limit})
      returning event_id, ticket_type_id, price_cents, is_disputed, issued_hour, issued, sold, scanned, voided),
    by_hour as (
      insert into ticket_hours as h (event_id, ticket_type_id, hour, sold)
      select event_id, ticket_type_id, issued_hour, sum(sold)
        from gone
       where issued_hour is not null
       group by event_id, ticket_type_id, issued_hour
          on conflict (event_id, ticket_type_id, hour) do update set sold = h.sold + excluded.sold),
    added as (
      insert into ticket_totals as t (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
      select event_id, ticket_type_id, price_cents, is_disputed, sum(issued), sum(sold), sum(scanned), sum(voided)
        from gone
       group by event_id, ticket_type_id, price_cents, is_disputed
          on conflict (event_id, ticket_type_id, price_cents, is_disputed) do update
         set issued = t.issued + excluded.issued, sold = t.sold + excluded.sold,
             scanned = t.scanned + excluded.scanned, voided = t.voided + excluded.voided)
    select count(*)::int as rolled_up from gone`.execute(tx);
  return rows[0]?.rolledUp ?? 0;
}

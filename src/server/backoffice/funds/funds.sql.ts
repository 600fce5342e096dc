import { type Insertable, sql } from 'kysely';
import type { FundsReading } from '#domain/payouts/funds.ts';
import type { EventTerms } from '#domain/payouts/refund-costs.ts';
import type { Leaf } from '#domain/payouts/sum-tree.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export interface EventWithMoney {
  id: string;
  organizationId: string;
  title: string;
  timezone: string;
  latestEndsAt: Date;
  cancelledAt: Date | null;
  processingFeeWaived: boolean;
  feeTerms: EventTerms;
  /** By the ledger, before fees. */
  payableCents: number;
  differs: boolean;
}

/**
 * Events with money in the organizer's account, newest first. Of those that were paid out only where something may follow, because the
 * ledger keeps all of them.
 */
export async function eventsWithMoney(
  db: Db,
  { organizationId, onlyEventIds = null }: { organizationId?: string; onlyEventIds?: readonly string[] | null },
): Promise<EventWithMoney[]> {
  const own = organizationId === undefined ? sql`` : sql`and e.organization_id = ${organizationId}`;
  const given = onlyEventIds === null ? sql`` : sql`and e.id = any (${[...onlyEventIds]}::text[])`;
  const { rows } = await sql<EventWithMoney>`
    select e.id, e.organization_id, e.title, e.timezone, e.latest_ends_at, e.cancelled_at, e.processing_fee_waived, e.fee_terms,
           payable.cents as payable_cents,
           exists (select from discrepancies d where d.event_id = e.id and d.resolved_at is null) as differs
      from events e
      join lateral (
        select -sum(l.cents)::bigint as cents from ledger_entries l
         where l.event_id = e.id and l.account = 'organizer-payable') payable on payable.cents <> 0
     where (e.payout_requested_at is null
            or exists (select from payouts p where p.event_id = e.id and p.state <> 'paid')
            or exists (select from payout_reserves r where r.event_id = e.id and r.paid_by is null)
            or exists (select from disputes d where d.event_id = e.id and d.returned_by is null)) ${own} ${given}
     order by e.latest_ends_at desc, e.id`.execute(db);
  return rows;
}

export interface AtBanks {
  /** Prices of sold tickets with an open dispute, and of those whose refund is under way as well. */
  soldCents: number;
  refundingCents: number;
  /** Of these orders: what their buyers got back while keeping the tickets. */
  deductedCents: number;
  /** What disputes hold of an event that has a payout: what it left out, and what was reversed or is about to be. */
  paidOutCents: number;
}

/** What banks hold for open disputes, by event. */
export async function atBanks(db: Db, eventIds: readonly string[]): Promise<ReadonlyMap<string, AtBanks>> {
  const { rows } = await sql<AtBanks & { eventId: string }>`
    with held as (
      select event_id, order_id, bool_or(excluded_from is not null) as is_excluded from disputes
       where event_id = any (${[...eventIds]}::text[]) and state = 'open'
       group by event_id, order_id
    ), parts as (
      select h.event_id, h.is_excluded, t.sold_cents, t.refunding_cents, d.deducted_cents, r.reversed_cents
        from held h
       cross join lateral (
         select coalesce(sum(price_cents) filter (where counts_as_sold(state)), 0) as sold_cents,
                coalesce(sum(price_cents) filter (where state = 'refunding'), 0) as refunding_cents
           from tickets t where t.event_id = h.event_id and t.order_id = h.order_id) t
       cross join lateral (
         select coalesce(sum(l.cents), 0) as deducted_cents
           from (select id from refunds where event_id = h.event_id and order_id = h.order_id and reason = 'external'
                 union all select id from disputes where event_id = h.event_id and order_id = h.order_id) part
           join ledger_entries l on l.event_id = h.event_id and l.subject_id = part.id
            and l.account = 'organizer-payable' and l.kind in ('external-refund', 'dispute-lost')) d
       cross join lateral (
         select coalesce(sum(case when r.settled_at is not null or p.state <> 'paid' then r.gross_cents - r.used_cents else r.reserve_cents end), 0)
                as reversed_cents
           from transfer_reversals r
           join disputes o on o.event_id = r.event_id and o.id = r.dispute_id and o.state = 'open'
           join payouts p on p.event_id = r.event_id and p.id = r.payout_id
          where r.event_id = h.event_id and r.order_id = h.order_id) r)
    select event_id, sum(sold_cents)::bigint as sold_cents, sum(refunding_cents)::bigint as refunding_cents,
           sum(deducted_cents)::bigint as deducted_cents,
           sum(case when is_excluded then greatest(0, sold_cents - deducted_cents) else reversed_cents end)::bigint as paid_out_cents
      from parts group by event_id`.execute(db);
  return new Map(rows.map(({ eventId, ...cents }) => [eventId, cents]));
}

/** What each organization, or this one, owes us; negative if too much was deducted. */
export async function debtsOf(db: Db, organizationId?: string): Promise<ReadonlyMap<string, number>> {
  const own = organizationId === undefined ? sql`` : sql`and e.organization_id = ${organizationId}`;
  const { rows } = await sql<{ organizationId: string; cents: number }>`
    select e.organization_id, sum(l.cents)::bigint as cents
      from ledger_entries l
      join events e on e.id = l.event_id
     where l.account = 'receivables' ${own}
     group by e.organization_id`.execute(db);
  return new Map(rows.map((row) => [row.organizationId, row.cents]));
}

export async function owedToBuyers(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(cents), 0)::bigint as cents from ledger_entries where account = 'owed-to-buyers'`.execute(db);
  return rows[0]?.cents ?? 0;
}

export async function readingNow(db: Db): Promise<{ now: Date; day: string }> {
  const { rows } = await sql<{ now: Date; day: string }>`
    select business_now() as now, (business_now() at time zone 'utc')::date::text as day`.execute(db);
  if (!rows[0]) throw new Error('the clock returned no row');
  return rows[0];
}

export async function saveReading(db: Db, reading: FundsReading): Promise<void> {
  await db
    .insertInto('fundsReading')
    .values(reading)
    .onConflict((conflict) => conflict.column('isTheOnlyRow').doUpdateSet({ ...reading }))
    .execute();
}

/** The parts of organizations are those of the newest total. @returns false if the day has one */
export async function insertSnapshot(
  db: Db,
  snapshot: Insertable<Schema['fundsSnapshots']>,
  leaves: readonly Leaf[],
): Promise<boolean> {
  const inserted = await db
    .insertInto('fundsSnapshots')
    .values(snapshot)
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst();
  if (!inserted) return false;
  await sql`
    insert into funds_leaves (day, organization_id, nonce, cents)
    select ${snapshot.day}::date, *
      from unnest(${leaves.map((leaf) => leaf.organizationId)}::uuid[], ${leaves.map((leaf) => leaf.nonce)}::text[],
                  ${leaves.map((leaf) => leaf.cents)}::bigint[])`.execute(db);
  await db.deleteFrom('fundsLeaves').where('day', '<>', snapshot.day).execute();
  return true;
}

export async function deleteLeaves(db: Db): Promise<void> {
  await db.deleteFrom('fundsLeaves').execute();
}

export async function hasSnapshot(db: Db, day: string): Promise<boolean> {
  const snapshot = await db.selectFrom('fundsSnapshots').where('day', '=', day).select('day').executeTakeFirst();
  return snapshot !== undefined;
}

/** The reading, when the ledger was last compared with Stripe, and what the two disagree on. */
export async function fundsNow(db: Db) {
  const { rows } = await sql<{ comparedAt: Date | null; discrepancies: number; now: Date }>`
    select (select finished_at from balance_transaction_cursor) as compared_at,
           (select count(*)::int from discrepancies where resolved_at is null) as discrepancies,
           business_now() as now`.execute(db);
  const reading = await db
    .selectFrom('fundsReading')
    .select(['organizersCents', 'buyersCents', 'balanceCents', 'readAt'])
    .executeTakeFirst();
  return { reading: reading ?? null, comparedAt: null, discrepancies: 0, now: new Date(), ...rows[0] };
}

/** Newest first. */
export function newestSnapshots(db: Db, limit: number) {
  return db
    .selectFrom('fundsSnapshots')
    .select([sql<string>`day::text`.as('day'), 'root', 'owedCents as totalCents', 'signature', 'publicKey'])
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
}

/** In the order of the tree, which tells nothing about them. */
export function leavesOf(db: Db, day: string): Promise<Leaf[]> {
  return db
    .selectFrom('fundsLeaves')
    .where('day', '=', day)
    .select(['organizationId', 'nonce', 'cents'])
    .orderBy('nonce')
    .execute();
}

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

/** Events whose organizer is owed money, newest first. */
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
     where true ${own} ${given}
     order by e.latest_ends_at desc, e.id`.execute(db);
  return rows;
}

/** What each organization, or this one, owes us. */
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

/** How long an organization's part of a signed total is kept. The totals stay. */
const LEAVES_DAYS = 31;

/** @returns false if the day has one */
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
  await sql`delete from funds_leaves where day < ${snapshot.day}::date - ${LEAVES_DAYS}::int`.execute(db);
  return true;
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

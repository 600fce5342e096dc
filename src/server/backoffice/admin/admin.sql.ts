/** Reads across the tables of all slices; what it writes is only what an operator did. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { LedgerAccount, Schema } from '#server/platform/schema.ts';

interface ProductCounts {
  organizers: number;
  activeEvents: number;
  ticketsSold: number;
  grossCents: number;
}

export async function countsOfProduct(db: Db): Promise<ProductCounts> {
  const { rows } = await sql<ProductCounts>`
    select (select count(*) from users) as organizers,
           (select count(*) from events where cancelled_at is null and ends_at > business_now()) as active_events,
           count(*) as tickets_sold,
           coalesce(sum(price_cents), 0)::bigint as gross_cents
      from tickets where state in ('valid', 'scanned')`.execute(db);
  return firstOf(rows);
}

/** Added up without their signs, so that two errors cannot hide each other. */
export async function unbalancedCents(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(abs(difference)), 0)::bigint as cents
      from (select sum(cents) as difference from ledger_entries group by event_id, transaction_id) as transactions`.execute(
    db,
  );
  return firstOf(rows).cents;
}

/** What stands on each account of the books, debits positive. */
export async function accountBalances(db: Db): Promise<Map<LedgerAccount, number>> {
  const { rows } = await sql<{ account: LedgerAccount; cents: number }>`
    select account, sum(cents)::bigint as cents from ledger_entries group by account`.execute(db);
  return new Map(rows.map(({ account, cents }) => [account, cents]));
}

interface BalanceComparison {
  oursCents: number;
  otherCents: number;
  reconciledAt: Date | null;
  openDifferences: number;
}

/** What the card company's own movements add up to, as far as they were read. */
export async function balanceComparison(db: Db): Promise<BalanceComparison> {
  const { rows } = await sql<BalanceComparison>`
    select coalesce(sum(net_cents) filter (where payment_id is not null or transfer_id is not null), 0)::bigint as ours_cents,
           coalesce(sum(net_cents) filter (where payment_id is null and transfer_id is null), 0)::bigint as other_cents,
           (select finished_at from movements_read) as reconciled_at,
           (select count(*) from differences where resolved_at is null) as open_differences
      from provider_movements`.execute(db);
  return firstOf(rows);
}

/** False when this was done to it already; trying again may be done any number of times. */
export async function insertOperatorAction(db: Db, action: Schema['operatorActions']): Promise<boolean> {
  const inserted = await db
    .insertInto('operatorActions')
    .values(action)
    .onConflict((conflict) => conflict.columns(['action', 'subject']).where('action', '<>', 'retry').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function wasDone(db: Db, action: Schema['operatorActions']['action'], subject: string): Promise<boolean> {
  const done = await db
    .selectFrom('operatorActions')
    .where('action', '=', action)
    .where('subject', '=', subject)
    .select('id')
    .executeTakeFirst();
  return done !== undefined;
}

/** Locked, so that nobody pays, or notes as paid, the same refund at the same moment. */
export async function lockFailedRefund(db: Db, refundId: string) {
  return db
    .selectFrom('refunds')
    .where('id', '=', refundId)
    .where('state', '=', 'failed')
    .select(['eventId', 'orderId', 'cents', sql<Date>`business_now()`.as('now')])
    .forUpdate()
    .executeTakeFirst();
}

/** Locks whoever owes it: what a payout of theirs keeps meanwhile lowers what is left to write off. */
export async function lockDebtor(db: Db, recoveryId: string) {
  return db
    .selectFrom('recoveries as r')
    .innerJoin('events as e', 'e.id', 'r.eventId')
    .innerJoin('users as u', 'u.id', 'e.organizerId')
    .where('r.id', '=', recoveryId)
    .select(['u.id', sql<Date>`business_now()`.as('now')])
    .forNoKeyUpdate('u')
    .executeTakeFirst();
}

/** A payout that will keep some of what its organizer owes, and is not in the books yet. */
export async function keepsDebtSoon(db: Db, organizerId: string): Promise<boolean> {
  const payout = await db
    .selectFrom('payouts as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('e.organizerId', '=', organizerId)
    .where('p.state', '<>', 'paid')
    .where(sql<boolean>`(p.statement ->> 'keptForDebtCents')::integer > 0`)
    .select('p.id')
    .executeTakeFirst();
  return payout !== undefined;
}

export async function paymentOfRefund(db: Db, eventId: string, refundId: string): Promise<string | null> {
  const order = await db
    .selectFrom('refunds as r')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 'r.eventId').onRef('o.id', '=', 'r.orderId'))
    .where('r.eventId', '=', eventId)
    .where('r.id', '=', refundId)
    .select('o.paymentId')
    .executeTakeFirst();
  return order?.paymentId ?? null;
}

/** Puts a job that gave up back into the queue, with all its tries. */
export async function requeueJob(db: Db, jobId: string): Promise<void> {
  await sql`select graphile_worker.reschedule_jobs(array[${jobId}]::bigint[], run_at => now(), attempts => 0)`.execute(
    db,
  );
}

function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error('a count answered no row');
  return row;
}

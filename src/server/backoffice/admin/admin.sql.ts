/** Reads the tables of all modules for operators; writes only operator actions. */
import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { LedgerAccount } from '#server/platform/schema/ledger.ts';
import type { Schema } from '#server/platform/schema.ts';

interface ProductCounts {
  organizers: number;
  activeEvents: number;
  ticketsSold: number;
  grossCents: number;
}

export async function productCounts(db: Db): Promise<ProductCounts> {
  const { rows } = await sql<ProductCounts>`
    select (select count(*) from organizations where erased_at is null) as organizers,
           (select count(*) from events where is_published and is_selling(cancelled_at, ends_at, business_now())) as active_events,
           count(*) as tickets_sold,
           coalesce(sum(price_cents), 0)::bigint as gross_cents
      from tickets where counts_as_sold(state)`.execute(db);
  return singleRow(rows);
}

/** Sums absolute values, so that two errors cannot cancel each other out. */
export async function unbalancedCents(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(abs(difference)), 0)::bigint as cents
      from (select sum(cents) as difference from ledger_entries group by event_id, transaction_id) as transactions`.execute(
    db,
  );
  return singleRow(rows).cents;
}

/** Balance of each ledger account, debits positive. */
export async function accountBalances(db: Db): Promise<Map<LedgerAccount, number>> {
  const { rows } = await sql<{ account: LedgerAccount; cents: number }>`
    select account, sum(cents)::bigint as cents from ledger_entries group by account`.execute(db);
  return new Map(rows.map(({ account, cents }) => [account, cents]));
}

interface BalanceComparison {
  oursCents: number;
  otherCents: number;
  reconciledAt: Date | null;
  openDiscrepancies: number;
}

/** Totals of the balance transactions imported from Stripe so far. */
export async function balanceComparison(db: Db): Promise<BalanceComparison> {
  const { rows } = await sql<BalanceComparison>`
    select coalesce(sum(net_cents) filter (where payment_id is not null or transfer_id is not null), 0)::bigint as ours_cents,
           coalesce(sum(net_cents) filter (where payment_id is null and transfer_id is null), 0)::bigint as other_cents,
           (select finished_at from balance_transaction_cursor) as reconciled_at,
           (select count(*) from discrepancies where resolved_at is null) as open_discrepancies
      from balance_transactions`.execute(db);
  return singleRow(rows);
}

/** False if the action was recorded before. Only retries and brakes can be recorded more than once. */
export async function insertOperatorAction(db: Db, action: Insertable<Schema['operatorActions']>): Promise<boolean> {
  const inserted = await db
    .insertInto('operatorActions')
    .values(action)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function isActionRecorded(
  db: Db,
  action: Insertable<Schema['operatorActions']>['action'],
  subject: string,
): Promise<boolean> {
  const done = await db
    .selectFrom('operatorActions')
    .where('action', '=', action)
    .where('subject', '=', subject)
    .select('id')
    .executeTakeFirst();
  return done !== undefined;
}

/** Locks the refund against a concurrent payment, or a second record of one. */
export async function lockFailedRefund(db: Db, refundId: string) {
  return db
    .selectFrom('refunds')
    .where('id', '=', refundId)
    .where('state', '=', 'failed')
    .select(['eventId', 'orderId', 'cents', sql<Date>`business_now()`.as('now')])
    .forUpdate()
    .executeTakeFirst();
}

/** Locks the organization, because a concurrent payout that applies money to the debt lowers the amount to write off. */
export async function lockDebtor(db: Db, reversalId: string) {
  return db
    .selectFrom('transferReversals as r')
    .innerJoin('events as e', 'e.id', 'r.eventId')
    .innerJoin('organizations as o', 'o.id', 'e.organizationId')
    .where('r.id', '=', reversalId)
    .select(['o.id', sql<Date>`business_now()`.as('now')])
    .forNoKeyUpdate('o')
    .executeTakeFirst();
}

/** Whether a payout that is not yet in the ledger will apply money to the organization's debt. */
export async function hasPendingDebtPayout(db: Db, organizationId: string): Promise<boolean> {
  const payout = await db
    .selectFrom('payouts as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('e.organizationId', '=', organizationId)
    .where('p.state', '<>', 'paid')
    .where(sql<boolean>`(p.statement ->> 'debtDeductedCents')::integer > 0`)
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

/** Requeues a failed job with all of its attempts. */
export async function requeueJob(db: Db, jobId: string): Promise<void> {
  await sql`select graphile_worker.reschedule_jobs(array[${jobId}]::bigint[], run_at => now(), attempts => 0)`.execute(
    db,
  );
}

function singleRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error('an aggregate query returned no row');
  return row;
}

import { sql } from 'kysely';
import { subjectsOfEntries } from '#server/payments/reconciliation/reconciliation.sql.ts';
import type { Db } from '#server/platform/database.ts';
import type { LedgerAccount, LedgerKind } from '#server/platform/schema/ledger.ts';

export interface JournalPosition {
  transactionId: string;
  account: LedgerAccount;
}

export interface JournalEntry extends JournalPosition {
  cents: number;
  kind: LedgerKind;
  at: Date;
  orderId: string | null;
  refundId: string | null;
  disputeId: string | null;
  payoutId: string | null;
  paymentId: string | null;
  transferId: string | null;
}

/** In the order of recording, as ids of transactions start with their time. A transfer reversal has the ids of its cause and its payout. */
export async function journalEntries(
  db: Db,
  { eventId, after, limit }: { eventId: string; after: JournalPosition | null; limit: number },
): Promise<JournalEntry[]> {
  const rest = after
    ? sql`and (l.transaction_id, l.account) > (${after.transactionId}::uuid, ${after.account}::text)`
    : sql``;
  const { rows } = await sql<JournalEntry>`
    select l.transaction_id, l.account, l.cents, l.kind, l.created_at as at,
           coalesce(o.id, r.order_id, d.order_id, c.order_id) as order_id, coalesce(r.id, c.refund_id) as refund_id,
           coalesce(d.id, c.dispute_id) as dispute_id, coalesce(p.id, c.payout_id) as payout_id,
           coalesce(o.payment_id, ro.payment_id, d_o.payment_id) as payment_id, coalesce(p.transfer_id, cp.transfer_id) as transfer_id
      from ledger_entries l
      ${subjectsOfEntries}
     where l.event_id = ${eventId} ${rest}
     order by l.transaction_id, l.account
     limit ${limit}`.execute(db);
  return rows;
}

/** A change of our balance at Stripe, as the ledger has it. */
export interface Movement {
  /** Stripe's payment or transfer. */
  subject: string;
  transactionId: string;
  kind: LedgerKind;
  cents: number;
}

/** All of the payments and transfers, oldest first. */
export async function movementsOf(db: Db, eventId: string, subjects: readonly string[]): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    with moved as (
      select payment_id as subject, id from orders where event_id = ${eventId} and payment_id = any(${[...subjects]}::text[])
      union all select transfer_id, id from payouts where event_id = ${eventId} and transfer_id = any(${[...subjects]}::text[])),
    parts as (
      select subject, id from moved
      union all select m.subject, r.id from moved m join refunds r on r.event_id = ${eventId} and r.order_id = m.id
      union all select m.subject, d.id from moved m join disputes d on d.event_id = ${eventId} and d.order_id = m.id
      union all select m.subject, c.id from moved m join transfer_reversals c on c.event_id = ${eventId} and c.payout_id = m.id)
    select parts.subject, l.transaction_id, l.kind, l.cents
      from parts
      join ledger_entries l on l.event_id = ${eventId} and l.subject_id = parts.id and l.account = 'processor'
     order by l.created_at, l.transaction_id`.execute(db);
  return rows;
}

/** As reconciliation read it from Stripe. */
export interface StripeMovement {
  id: string;
  subject: string;
  isTransfer: boolean;
  cents: number;
  at: Date;
}

/** Oldest first. */
export async function stripeMovementsOf(db: Db, subjects: readonly string[]): Promise<StripeMovement[]> {
  const { rows } = await sql<StripeMovement>`
    select id, coalesce(payment_id, transfer_id) as subject, transfer_id is not null as is_transfer, net_cents as cents,
           created_at as at
      from balance_transactions
     where payment_id = any(${[...subjects]}::text[]) or transfer_id = any(${[...subjects]}::text[])
     order by created_at, id`.execute(db);
  return rows;
}

export interface OpenDiscrepancy {
  kind: string;
  subject: string;
  cents: number;
  at: Date;
}

/** Up to when Stripe's balance transactions were read, and what differs from them. */
export async function comparisonOf(
  db: Db,
  eventId: string,
): Promise<{ comparedUntil: Date | null; discrepancies: OpenDiscrepancy[] }> {
  const cursor = await db.selectFrom('balanceTransactionCursor').select('until').executeTakeFirst();
  const discrepancies = await db
    .selectFrom('discrepancies')
    .where('eventId', '=', eventId)
    .where('resolvedAt', 'is', null)
    .select(['kind', 'subject', 'cents', 'foundAt as at'])
    .orderBy('foundAt')
    .orderBy('id')
    .execute();
  return { comparedUntil: cursor?.until ?? null, discrepancies };
}

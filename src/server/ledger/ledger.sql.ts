/** The only writer of ledger entries: double entry in whole cents, each transaction sums to 0. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LedgerAccount, LedgerKind } from '#server/platform/schema/ledger.ts';

const ACCOUNTS: readonly LedgerAccount[] = [
  'processor',
  'organizer-payable',
  'card-fees',
  'owed-to-buyers',
  'platform-fees',
  'disputed',
  'dispute-costs',
  'receivables',
  'write-offs',
  'operator',
];

export interface LedgerTransaction {
  eventId: string;
  /** The order, refund, payout, dispute or transfer reversal that moved the money. */
  subjectId: string;
  kind: LedgerKind;
  /** Debits are positive, credits negative. Zero amounts are not written. */
  entries: Partial<Record<LedgerAccount, number>>;
  at: Date;
}

/** Idempotent: a second transaction of the same kind for the same subject is ignored. */
export async function writeLedger(db: Db, { eventId, subjectId, kind, entries, at }: LedgerTransaction): Promise<void> {
  const transactionId = newId();
  const rows = ACCOUNTS.map((account) => ({
    eventId,
    subjectId,
    kind,
    account,
    transactionId,
    cents: entries[account] ?? 0,
    createdAt: at,
  })).filter((row) => row.cents !== 0);
  if (rows.length === 0) return;

  await db
    .insertInto('ledgerEntries')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['eventId', 'subjectId', 'kind', 'account']).doNothing())
    .execute();
}

/** The fee that Stripe took for the sale of an order. */
export async function recordFee(
  db: Db,
  { eventId, subjectId, cents, at }: { eventId: string; subjectId: string; cents: number; at: Date },
): Promise<void> {
  await sql`select record_sales(array[${eventId}], array[${subjectId}]::uuid[], null, array[${cents}]::integer[], ${at})`.execute(
    db,
  );
}

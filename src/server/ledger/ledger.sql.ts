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

/** A sale and Stripe's fee on it, as `record_sales` enters them. A null is not recorded. */
interface SaleToRecord {
  eventId: string;
  subjectId: string;
  totalCents: number | null;
  feeCents: number | null;
  at: Date;
}

export async function recordSale(
  db: Db,
  { eventId, subjectId, totalCents, feeCents, at }: SaleToRecord,
): Promise<void> {
  await sql`
    select record_sales(array[${eventId}], array[${subjectId}]::uuid[], array[${totalCents}]::integer[], array[${feeCents}]::integer[],
                        ${at})`.execute(db);
}

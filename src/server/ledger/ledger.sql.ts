/** The only place that writes movements of money: double entry in whole cents, each transaction summing to 0. */
import type { Db } from '#server/database.ts';
import { newId } from '#server/new-id.ts';
import type { Schema } from '#server/schema.ts';

const ACCOUNTS = ['processor', 'organizer-payable', 'card-fees', 'owed-to-buyers'] as const;

export interface LedgerTransaction {
  eventId: string;
  orderId: string;
  kind: Schema['ledgerEntries']['kind'];
  /** Debits are positive, credits negative; zero amounts are left out. */
  entries: Partial<Record<Schema['ledgerEntries']['account'], number>>;
  at: Date;
}

/** Writes the transaction once: the same kind for the same order is not written again. */
export async function writeLedger(db: Db, { eventId, orderId, kind, entries, at }: LedgerTransaction): Promise<void> {
  const transactionId = newId();
  const rows = ACCOUNTS.map((account) => ({
    eventId,
    orderId,
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
    .onConflict((conflict) => conflict.columns(['eventId', 'orderId', 'kind', 'account']).doNothing())
    .execute();
}

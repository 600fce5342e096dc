import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { claimRollUp, rollUpChanges } from './ticket-totals.sql.ts';

const BATCH_SIZE = 5000;

/** Rolls pending changes up into the totals in short transactions. Reads are exact before and after. */
export async function rollUpTotals({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (let rolledUp = BATCH_SIZE; rolledUp === BATCH_SIZE; ) {
    rolledUp = await inTransaction(db, async (tx) => ((await claimRollUp(tx)) ? rollUpChanges(tx, BATCH_SIZE) : 0));
  }
}

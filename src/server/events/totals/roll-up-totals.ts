import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { claimRollUp, rollUpChanges } from './ticket-totals.sql.ts';

const CHUNK = 5000;

/** Adds the changes that lie waiting to their event's totals, in short transactions. Reading is exact before and after. */
export async function rollUpTotals({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (let folded = CHUNK; folded === CHUNK; ) {
    folded = await inTransaction(db, async (tx) => ((await claimRollUp(tx)) ? rollUpChanges(tx, CHUNK) : 0));
  }
}

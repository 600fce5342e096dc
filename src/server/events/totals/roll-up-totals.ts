import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { claimFolding, foldChanges } from './ticket-totals.sql.ts';

const CHUNK = 5000;

/** Adds the changes that lie waiting to their event's totals, in short transactions. Reading is exact before and after. */
export async function foldTicketTotals({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (let folded = CHUNK; folded === CHUNK; ) {
    folded = await inTransaction(db, async (tx) => ((await claimFolding(tx)) ? foldChanges(tx, CHUNK) : 0));
  }
}

import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { claimRollUp, rollUpChanges, type ticketTotals } from './ticket-totals.sql.ts';

const BATCH_SIZE = 5000;

/** Rolls pending changes up into the totals in short transactions. Reads are exact before and after. */
export async function rollUpTotals({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (let rolledUp = BATCH_SIZE; rolledUp === BATCH_SIZE; ) {
    rolledUp = await inTransaction(db, async (tx) => ((await claimRollUp(tx)) ? rollUpChanges(tx, BATCH_SIZE) : 0));
  }
}

/** Beyond this many pending changes, reading the totals becomes noticeably slow. */
const CHANGES_MAX = 2000;

/** The scheduled roll-up runs every minute; a busy sale can accumulate too many changes in between. */
export async function rollUpSoon(
  { db }: Pick<Deps, 'db'>,
  totals: Awaited<ReturnType<typeof ticketTotals>>,
): Promise<void> {
  const changes = totals.reduce((sum, total) => sum + total.changes, 0);
  if (changes > CHANGES_MAX) await enqueue(db, 'roll-up-ticket-totals', {}, { key: 'roll-up-ticket-totals' });
}

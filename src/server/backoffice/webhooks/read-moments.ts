import { isComparable, openTransactions } from '#server/backoffice/changes/transactions.sql.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { addDeliveries, claimReading, clockOf, endReading } from './moments.sql.ts';

/** Reading takes a small share of one connection's time, however large the organization is. */
const READ_TIME_FACTOR = 50;
const PAUSE_MS_MIN = 1_000;

/**
 * Makes deliveries of what happened in organizations whose reading is due, each once, however long that takes. Any number of processes
 * may run it.
 */
export async function readMoments(
  { db }: Pick<Deps, 'db'>,
  { isStopped }: { isStopped: () => boolean },
): Promise<void> {
  const dueAt = await clockOf(db);
  while (!isStopped()) {
    const isDone = await inTransaction(db, async (tx) => {
      const reading = await claimReading(tx, dueAt);
      if (!reading) return true;
      const startedAt = performance.now();
      const open = await openTransactions(tx);
      const { organizationId, upTo } = reading;
      await addDeliveries(tx, organizationId, isComparable(upTo, open) ? upTo : null);
      const pauseMs = Math.max(PAUSE_MS_MIN, (performance.now() - startedAt) * READ_TIME_FACTOR);
      await endReading(tx, { organizationId, upTo: open.upTo }, { pauseMs });
      return false;
    });
    if (isDone) return;
  }
}

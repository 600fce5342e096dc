import type { Db } from '#server/database.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { recoveriesOfPayout } from './recoveries.sql.ts';

/** Runs in the transaction that records a payout's transfer: what waited for it can be taken back now. */
export async function queueRecoveries(tx: Db, payout: { eventId: string; payoutId: string }): Promise<void> {
  for (const { recoveryId } of await recoveriesOfPayout(tx, payout)) {
    await enqueue(tx, 'send-recovery', { eventId: payout.eventId, recoveryId });
  }
}

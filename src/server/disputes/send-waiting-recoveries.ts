/** Makes the recoveries that were claimed and not made: the payout was not transferred, or the process ended too soon. */
import type { Deps } from '#server/deps.ts';
import { recoveriesToSend } from './recoveries.sql.ts';
import { sendRecovery } from './send-recovery.ts';

const AT_ONCE = 200;

export async function sendWaitingRecoveries(deps: Pick<Deps, 'db' | 'payoutAccounts' | 'log'>): Promise<void> {
  for (const recovery of await recoveriesToSend(deps.db, AT_ONCE)) {
    try {
      await sendRecovery(deps, recovery);
    } catch (error) {
      // One organizer's recovery must not keep the others' waiting.
      deps.log.warn({ err: error, ...recovery }, 'a recovery could not be made');
    }
  }
}

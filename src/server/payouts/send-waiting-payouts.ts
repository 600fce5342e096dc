/**
 * Sends the payouts that were claimed and not transferred: funds were not ready, or the process ended too soon. Before
 * that it claims the further ones that wait for it.
 */
import type { Deps } from '#server/deps.ts';
import { claimWaitingSupplements } from './claim-waiting-supplements.ts';
import { unpaidPayouts } from './payouts.sql.ts';
import { sendPayout } from './send-payout.ts';

const AT_ONCE = 200;

export async function sendWaitingPayouts(deps: Pick<Deps, 'db' | 'payoutAccounts' | 'log'>): Promise<void> {
  await claimWaitingSupplements(deps);
  for (const payout of await unpaidPayouts(deps.db, AT_ONCE)) {
    try {
      await sendPayout(deps, payout);
    } catch (error) {
      // One organizer's payout must not keep the others' waiting.
      deps.log.warn({ err: error, ...payout }, 'a payout could not be sent');
    }
  }
}

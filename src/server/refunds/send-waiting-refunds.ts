/** Sends the refunds whose moment has come, and those that an outage or a crash has left behind. */
import type { Deps } from '#server/deps.ts';
import { refundsToSend } from './refunds.sql.ts';
import { retryRefusedRefunds } from './retry-refused-refunds.ts';
import { sendRefund } from './send-refund.ts';

const AT_ONCE = 500;

export async function sendWaitingRefunds(deps: Pick<Deps, 'db' | 'cards' | 'log'>): Promise<void> {
  await retryRefusedRefunds(deps);
  for (const ref of await refundsToSend(deps.db, AT_ONCE)) {
    try {
      await sendRefund(deps, ref);
    } catch (error) {
      // One buyer's refund must not keep the others' waiting.
      deps.log.warn({ err: error, ...ref }, 'a refund could not be sent');
    }
  }
}

/** Sends the refunds whose moment has come, and those that an outage or a crash has left behind. */

import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ticketsToRetry } from './cancelled-events.sql.ts';
import { claimTicketAgain } from './claim-refund-again.ts';
import { refundsToSend } from './refunds.sql.ts';
import { sendRefund } from './send-refund.ts';

const SEND_AT_MOST = 500;

export async function sendWaitingRefunds(deps: Pick<Deps, 'db' | 'cards' | 'log'>): Promise<void> {
  await retryRefusedRefunds(deps);
  for (const ref of await refundsToSend(deps.db, SEND_AT_MOST)) {
    try {
      await sendRefund(deps, ref);
    } catch (error) {
      // One buyer's refund must not keep the others' waiting.
      deps.log.warn({ err: error, ...ref }, 'a refund could not be sent');
    }
  }
}

/** After that a person has to look: each one stays among the operator's stuck refunds from its first refusal on. */
const ATTEMPTS = 6;
const RETRY_AT_MOST = 100;

/** Asks again for refunds of cancelled events that were refused: those buyers have nothing left but their money. */
export async function retryRefusedRefunds({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const ticket of await ticketsToRetry(db, { tries: ATTEMPTS, limit: RETRY_AT_MOST })) {
    try {
      await inTransaction(db, (tx) => claimTicketAgain(tx, ticket));
    } catch (error) {
      log.warn({ err: error, ...ticket }, 'a refused refund could not be claimed again');
    }
  }
}

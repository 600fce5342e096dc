/** Sends due refunds, including those that an outage or a crash left unsent, and retries refused ones. */
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ticketsToRetry } from './cancelled-events.sql.ts';
import { claimTicketAgain } from './claim-refund-again.ts';
import { refundsToSend } from './refunds.sql.ts';
import { sendRefund } from './send-refund.ts';

const SENT_MAX = 500;
const RETRIED_MAX = 100;
/** After that, an operator has to act. The action item exists from the first denial on. */
const ATTEMPTS_MAX = 6;

export async function sendWaitingRefunds(deps: Pick<Deps, 'db' | 'paymentProcessor' | 'log'>): Promise<void> {
  await retryRefusedRefunds(deps);
  for (const ref of await refundsToSend(deps.db, SENT_MAX)) {
    try {
      await sendRefund(deps, ref);
    } catch (error) {
      // One failing refund must not block the others.
      deps.log.warn({ err: error, ...ref }, 'could not send a refund');
    }
  }
}

/** Only for cancelled events: after a refused refund request the ticket is valid again. */
export async function retryRefusedRefunds({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const ticket of await ticketsToRetry(db, { maxAttempts: ATTEMPTS_MAX, limit: RETRIED_MAX })) {
    try {
      await inTransaction(db, (tx) => claimTicketAgain(tx, ticket));
    } catch (error) {
      log.warn({ err: error, ...ticket }, 'could not claim a refused refund again');
    }
  }
}

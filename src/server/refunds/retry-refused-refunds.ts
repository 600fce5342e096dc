/** Asks again for refunds of cancelled events that were refused: those buyers have nothing left but their money. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { ticketsToRetry } from './cancelled-events.sql.ts';
import { claimTicketAgain } from './claim-ticket-again.ts';

/** After that a person has to look: each one stays among the operator's stuck refunds from its first refusal on. */
const TRIES = 6;
const AT_ONCE = 100;

export async function retryRefusedRefunds({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const ticket of await ticketsToRetry(db, { tries: TRIES, limit: AT_ONCE })) {
    try {
      await inTransaction(db, (tx) => claimTicketAgain(tx, ticket));
    } catch (error) {
      log.warn({ err: error, ...ticket }, 'a refused refund could not be claimed again');
    }
  }
}

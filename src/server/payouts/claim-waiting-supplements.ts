/** Claims the further payouts that became due and were not claimed then: the books owed less, or a step was lost. */
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { eventsWithReturns } from '#server/disputes/withhold-disputed.ts';
import { claimSupplement } from './claim-supplement.ts';

const AT_ONCE = 200;

export async function claimWaitingSupplements({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (const eventId of await eventsWithReturns(db, AT_ONCE)) {
    try {
      await inTransaction(db, (tx) => claimSupplement({ log }, tx, eventId));
    } catch (error) {
      // One event's further payout must not keep the others' waiting.
      log.warn({ err: error, eventId }, 'a further payout could not be claimed');
    }
  }
}

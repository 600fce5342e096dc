/** Issues the tickets of an import, and queues their emails. Repeated after a crash, it continues where the last commit ended. */
import { completeCompBatch, issueComps } from '#server/orders/core/comps.sql.ts';
import { lockEventOnSale } from '#server/orders/core/orders.sql.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Orders in one commit. Sales of the event go on in between. */
const BATCH_SIZE = 200;

export async function issueImport(
  { db }: Pick<Deps, 'db'>,
  { eventId, batchId }: { eventId: string; batchId: string },
): Promise<void> {
  for (let isOver = false; !isOver; )
    isOver = await inTransaction(db, async (tx) => {
      const event = await lockEventOnSale(tx, eventId);
      // Its reservations are released with all others.
      if (!event || event.cancelledAt) return true;
      const batch = { eventId, id: batchId, at: event.now };
      if ((await issueComps(tx, { ...batch, limit: BATCH_SIZE })) === BATCH_SIZE) return false;
      await completeCompBatch(tx, batch);
      return true;
    });
}

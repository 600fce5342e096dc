import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { listBuyersAfter } from './edit-event.sql.ts';

const BATCH_SIZE = 200;

/** Queues one email per buyer. Safe to repeat: emails already in the outbox are skipped. */
export async function announceEventChange(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { eventId, changeId }: { eventId: string; changeId: string },
): Promise<void> {
  for (let last = ''; ; ) {
    const buyers = await listBuyersAfter(db, eventId, last, BATCH_SIZE);
    await inTransaction(db, async (tx) => {
      for (const { key, address } of buyers) {
        const subjectId = `${changeId} ${key}`;
        const params = { eventId, changeId };
        await queueEmail(tx, { kind: 'event-changed', subjectId, params, toAddress: address, now: clock.now() });
      }
    });
    if (buyers.length < BATCH_SIZE) return;
    last = buyers.at(-1)?.key ?? '';
  }
}

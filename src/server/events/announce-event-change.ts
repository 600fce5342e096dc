import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { buyersAfter } from './edit-event.sql.ts';

const AT_ONCE = 200;

/** Queues one mail for each buyer. A repetition finds what was queued before and adds the rest. */
export async function announceEventChange(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { eventId, changeId }: { eventId: string; changeId: string },
): Promise<void> {
  for (let last = ''; ; ) {
    const buyers = await buyersAfter(db, eventId, last, AT_ONCE);
    await inTransaction(db, async (tx) => {
      for (const { key, address } of buyers) {
        const subjectId = `${changeId} ${key}`;
        const params = { eventId, changeId };
        await queueEmail(tx, { kind: 'event-changed', subjectId, params, toAddress: address, now: clock.now() });
      }
    });
    if (buyers.length < AT_ONCE) return;
    last = buyers.at(-1)?.key ?? '';
  }
}

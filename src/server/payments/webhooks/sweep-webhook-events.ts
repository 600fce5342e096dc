/**
 * Puts notices back into the queue that nobody has acted on: their job was lost, or has used up its tries.
 * Seen is not done, so none of them may be forgotten.
 */
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { webhookJobKey } from './receive-webhook.ts';
import { overdueEvents } from './webhooks.sql.ts';

const AT_ONCE = 1000;

export async function sweepWebhookEvents({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const neglected = await overdueEvents(db, AT_ONCE);
  if (neglected.length === 0) return;
  await inTransaction(db, async (tx) => {
    for (const { noticeId, subject } of neglected) {
      await enqueue(tx, 'apply-notice', { noticeId }, { key: webhookJobKey(subject) });
    }
  });
  log.warn({ subjects: neglected.length }, 'notices were left lying, and are tried again');
}

/** Requeues unprocessed webhook events whose job was lost or ran out of attempts, and removes the jobs that a newer one replaced. */
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueue, removeReplacedJobs } from '#server/platform/jobs/jobs.sql.ts';
import { webhookJobKey } from './receive-webhook.ts';
import { overdueEvents } from './webhooks.sql.ts';

const BATCH_SIZE = 1000;

export async function sweepWebhookEvents({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  await removeReplacedJobs(db);
  const overdue = await overdueEvents(db, BATCH_SIZE);
  if (overdue.length === 0) return;
  await inTransaction(db, async (tx) => {
    for (const { webhookEventId, subject } of overdue) {
      await enqueue(tx, 'process-webhook-event', { webhookEventId }, { key: webhookJobKey(subject) });
    }
  });
  log.warn({ subjects: overdue.length }, 'requeued unprocessed webhook events');
}

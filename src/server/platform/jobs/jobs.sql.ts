/** The job queue: enqueues jobs inside the caller's transaction, and recovers jobs of workers that died. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Every job, with its payload. */
export interface Jobs {
  'send-email': { emailId: string };
  'process-webhook-event': { webhookEventId: string };
  'send-reset-link': { email: string };
  'send-records-link': { email: string };
  'send-my-tickets': { email: string };
  'announce-event-change': { eventId: string; changeId: string };
  'brake-events': { organizationId: string };
  'change-series': { changeId: string };
  'record-early-check-ins': { eventId: string };
  'move-waivers': { seriesId: string };
  'end-webhooks': { userId: string; since: string };
  'issue-comps': { eventId: string; batchId: string };
  'send-refund': { eventId: string; refundId: string };
  'refund-cancelled-event': { eventId: string };
  'close-checkouts': { eventId: string };
  'reconcile-days': Record<string, never>;
  'roll-up-ticket-totals': Record<string, never>;
  'send-payout': { eventId: string; payoutId: string };
  'send-reversal': { eventId: string; reversalId: string };
}

export type JobName = keyof Jobs;

interface Options {
  afterSeconds?: number;
  /** A new job replaces a waiting job with the same key. A running job is not affected. */
  key?: string | null;
  /** Jobs in the same queue run one at a time, across all processes. */
  queue?: string;
}

/** Runs once after the commit. A job that throws is retried with exponential backoff, 25 times in all. */
export async function enqueue<Name extends JobName>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  { afterSeconds = 0, key = null, queue }: Options = {},
): Promise<void> {
  const add = (jobKey: string | null) =>
    sql<{ id: string | null }>`
      select (graphile_worker.add_job(
        ${name}, ${JSON.stringify(payload)}::json,
        run_at => now() + make_interval(secs => ${afterSeconds}), job_key => ${jobKey},
        queue_name => ${queue ?? null})).id`.execute(db);
  const { rows } = await add(key);
  // If the waiting job starts at this moment, the queue adds nothing, yet that job may miss our change.
  if (rows[0]?.id === null) await add(null);
}

export async function recordHeartbeats(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db
    .insertInto('workerHeartbeats')
    .values(workerIds.map((id) => ({ id, seenAt: sql<Date>`now()` })))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt: sql<Date>`now()` }))
    .execute();
}

/**
 * Of workers without a recent heartbeat. A new worker may lock its first job before its first heartbeat is recorded, so a job counts as lost
 * only once it has been locked for as long.
 */
export async function releaseLostJobs(db: Db, lostAfterSeconds: number): Promise<void> {
  await sql`delete from worker_heartbeats where seen_at < now() - make_interval(secs => ${lostAfterSeconds})`.execute(
    db,
  );
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs
     where locked_at < now() - make_interval(secs => ${lostAfterSeconds})
       and not exists (select 1 from worker_heartbeats where id = locked_by)
    having count(*) > 0`.execute(db);
}

/**
 * A queue is locked and unlocked together with its job. If a slow worker completes a job that another one has been given meanwhile, the
 * other one finds no job to complete, and leaves the queue locked.
 */
export async function releaseIdleQueues(db: Db): Promise<void> {
  await sql`
    update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
     where q.locked_by is not null
       and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.locked_by = q.locked_by)`.execute(
    db,
  );
}

/** Jobs that these workers have locked for longer than `seconds`. */
export async function jobsLockedBy(db: Db, workerIds: readonly string[], seconds: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.jobs
     where locked_by = any (${workerIds}) and locked_at < now() - make_interval(secs => ${seconds})`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Removes jobs that failed after a newer one took their key. The queue takes the remaining attempts of a running job with the key too, so
 * such a job looks like one that was given up.
 */
export async function removeReplacedJobs(db: Db): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(j.id))
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where j.locked_at is null and j.attempts >= j.max_attempts and j.key is null
       -- Their jobs are added with a key, and their sweep or schedule repeats what is left.
       and (t.identifier = 'process-webhook-event'
            or t.identifier in (select identifier from graphile_worker._private_known_crontabs))
    having count(*) > 0`.execute(db);
}

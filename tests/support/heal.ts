/**
 * Recovery after faults: what failed works again, retries run, and every recurring job runs. The queue's retry delays
 * are real time, so they are cut short here.
 */
import { CompiledQuery } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { moveClock, untilClockShows } from './move-clock.ts';

export interface Healing {
  db: Db;
  sandboxUrl: string;
  /** Further sandbox processes on the same tables. */
  otherSandboxUrls?: readonly string[];
}

const TIMEOUT_MS = 180_000;
/** Each round may queue work for the next: a dispute, then its refund, then the email about it. */
const ROUNDS = 3;

export async function heal(site: Healing): Promise<void> {
  await fetch(`${site.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
  await runEverything(site);
  // Reservations expire and lost deliveries repeat; then funds become available, and work that waited for them
  // continues.
  for (const hours of [1, 4, 72]) {
    await advance(site, hours * 60 * 60);
    await runEverything(site);
  }
}

export async function runEverything(site: Healing): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await queueRecurringJobs(site.db);
    await untilQueueIsEmpty(site.db);
    await advance(site, 1);
  }
  await untilQueueIsEmpty(site.db);
}

/** Every scheduled job, by whatever name. */
export async function queueRecurringJobs(db: Db): Promise<void> {
  await query(db, 'select graphile_worker.add_job(identifier) from graphile_worker._private_known_crontabs');
}

/** Includes jobs on their last attempt, but not those of a killed server. */
const RUNNING = 'locked_by in (select id from worker_heartbeats)';

function untilQueueIsEmpty(db: Db): Promise<void> {
  return untilNoJob(db, `attempts < max_attempts or ${RUNNING}`, () => hurryJobs(db));
}

async function untilNoJob(db: Db, isMeant: string, hurry = async () => {}): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    await hurry();
    const [left] = await query<{ jobs: number }>(
      db,
      `select count(*)::int as jobs from graphile_worker._private_jobs where ${isMeant}`,
    );
    if (left?.jobs === 0) return;
    if (Date.now() > deadline) throw new Error(`jobs are left: ${(await jobsLeft(db)).join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function hurryJobs(db: Db): Promise<void> {
  await query(
    db,
    `with hurried as (
       update graphile_worker._private_jobs set run_at = now()
        where run_at > now() and locked_at is null and attempts < max_attempts
       returning id)
     select pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text)
       from hurried having count(*) > 0`,
  );
}

/**
 * The queue releases a killed server's jobs after a period without a heartbeat, which is cut short here. Waits until
 * `expectedWorkers` workers have sent a heartbeat, because before that active and abandoned jobs look alike.
 */
export async function forgetKilledWorkers(db: Db, expectedWorkers: number): Promise<void> {
  const [since] = await query<{ moment: string }>(db, 'select now()::text as moment');
  const seen = `seen_at > '${since?.moment}'`;
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const [now] = await query<{ workers: number }>(
      db,
      `select count(*)::int as workers from worker_heartbeats where ${seen}`,
    );
    if ((now?.workers ?? 0) >= expectedWorkers) break;
    if (Date.now() > deadline) throw new Error(`only ${now?.workers} of ${expectedWorkers} workers have a heartbeat`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await query(db, `delete from worker_heartbeats where not ${seen}`);
}

/** Failed, queued or running jobs, with the last error. */
async function jobsLeft(db: Db): Promise<string[]> {
  const rows = await query<{ job: string }>(
    db,
    `select concat_ws(' ', t.identifier, j.payload, 'attempts', j.attempts, 'locked at', j.locked_at, j.last_error) as job
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.attempts < j.max_attempts or j.locked_at is not null limit 20`,
  );
  return rows.map(({ job }) => job);
}

/**
 * Passing time triggers jobs at once. Their calls may span this much of it, and an idempotency key young enough to be
 * replaced (call-keys.sql.ts) must still be valid at the end.
 */
const STRIDE_SECONDS = 12 * 60 * 60;

/**
 * Advances the clock of server and sandbox while no job is running: no call is days away from its retry, and no check
 * for a transfer is days away from making it. Deliveries due by then have been attempted.
 */
export async function advance(site: Healing, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= STRIDE_SECONDS) {
    await untilNoJob(site.db, RUNNING);
    await moveAll(site, Math.min(left, STRIDE_SECONDS));
  }
}

/** The sandbox processes share a clock and idempotency keys; requests in flight finish before the move. */
async function moveAll({ sandboxUrl, otherSandboxUrls = [] }: Healing, seconds: number): Promise<void> {
  await Promise.all(otherSandboxUrls.map((url) => moveClock(url, 0)));
  const unix = await moveClock(sandboxUrl, seconds);
  await Promise.all(otherSandboxUrls.map((url) => untilClockShows(url, unix)));
}

async function query<Row>(db: Db, statement: string): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(statement))).rows;
}

/**
 * What time does after trouble: what was broken works again, what was to be tried again is tried, and every recurring
 * job has its turn. The queue's own pauses are real time, so they are cut short here.
 */
import { CompiledQuery } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { moveClock, untilClockShows } from './move-clock.ts';

export interface Healing {
  db: Db;
  sandboxUrl: string;
  /** Of the card company's further processes, which stand on the same books. */
  otherSandboxUrls?: readonly string[];
}

const PATIENCE_MS = 90_000;
/** Each turn may queue what only the next one can do: a mail about a refund about a dispute. */
const TURNS = 3;

export async function heal(place: Healing): Promise<void> {
  await fetch(`${place.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
  await runEverything(place);
  // Holds end and lost deliveries are repeated; then money matures, and what had to wait for it goes on.
  for (const hours of [1, 4, 72]) {
    await advance(place, hours * 60 * 60);
    await runEverything(place);
  }
}

export async function runEverything(place: Healing): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    await queueRecurringJobs(place.db);
    await untilQueueIsEmpty(place.db);
    await advance(place, 1);
  }
  await untilQueueIsEmpty(place.db);
}

/** Every job that has a place in the timetable, whatever it is called. */
export async function queueRecurringJobs(db: Db): Promise<void> {
  await query(db, 'select graphile_worker.add_job(identifier) from graphile_worker._private_known_crontabs');
}

/** A job on its last try as well, but not what a killed server left behind. */
const UNDER_WAY = 'locked_by in (select id from living_workers)';

function untilQueueIsEmpty(db: Db): Promise<void> {
  return untilNoJob(db, `attempts < max_attempts or ${UNDER_WAY}`, () => hurryJobs(db));
}

async function untilNoJob(db: Db, isMeant: string, hurry = async () => {}): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
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
 * The queue gives a killed server's jobs to others once it has not been seen for a while; the while is cut short here. So many
 * workers live on: until each has said so, nobody could tell what is under way from what was left behind.
 */
export async function forgetKilledWorkers(db: Db, living: number): Promise<void> {
  const [since] = await query<{ moment: string }>(db, 'select now()::text as moment');
  const seen = `seen_at > '${since?.moment}'`;
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const [now] = await query<{ workers: number }>(
      db,
      `select count(*)::int as workers from living_workers where ${seen}`,
    );
    if ((now?.workers ?? 0) >= living) break;
    if (Date.now() > deadline) throw new Error(`of ${living} workers ${now?.workers} were seen`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await query(db, `delete from living_workers where not ${seen}`);
}

/** What the queue has not done or is doing, with the reason it gave. */
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
 * What time brings about gives the jobs work at once. A call of theirs may cross so much of it, and a key that is not too old to be left
 * (call-keys.sql.ts) is still known at its end.
 */
const STRIDE_SECONDS = 12 * 60 * 60;

/**
 * Lets time pass for product and sandbox while no job is in the middle of its work: nobody waits for days between two tries
 * of one call, or between looking whether a transfer was made and making it. Deliveries that fell due on the way have been
 * tried by then.
 */
export async function advance(place: Healing, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= STRIDE_SECONDS) {
    await untilNoJob(place.db, UNDER_WAY);
    await moveAll(place, Math.min(left, STRIDE_SECONDS));
  }
}

/** The card company has one clock and one memory for keys: what any process of it was asked is done before the move. */
async function moveAll({ sandboxUrl, otherSandboxUrls = [] }: Healing, seconds: number): Promise<void> {
  await Promise.all(otherSandboxUrls.map((url) => moveClock(url, 0)));
  const unix = await moveClock(sandboxUrl, seconds);
  await Promise.all(otherSandboxUrls.map((url) => untilClockShows(url, unix)));
}

async function query<Row>(db: Db, statement: string): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(statement))).rows;
}

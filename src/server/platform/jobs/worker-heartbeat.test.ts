import type { WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '#server/main/worker.ts';
import type { Pool } from '#server/platform/database.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { poolOf } from '#tests/support/pool-of.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { enqueue, type JobName } from './jobs.sql.ts';
import { QUEUE_TIMES, type QueueTimes } from './queue-times.ts';
import { type WorkerHeartbeat, workerHeartbeat } from './worker-heartbeat.ts';

const ELSEWHERE = 'worker-elsewhere';

/** The production times, scaled down. */
const QUICK: QueueTimes = {
  ...QUEUE_TIMES,
  pollMs: 200,
  heartbeatMs: 200,
  lostAfterSeconds: 1,
  startGraceSeconds: 0.5,
  silentAfterMs: 1_000,
  shutdownTimeoutMs: 1_000,
  pauseMs: 50,
};

let app: TestApp;
let pool: Pool;
let worker: Worker;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  pool = await poolOf(app);
  worker = await startWorker(app.deps, pool, QUICK);
});
afterAll(async () => {
  await worker.stop();
  await pool.end();
  await app.close();
});

const isJobQueued = async () => (await workersOf('send-reset-link')).length > 0;

async function workersOf(job: JobName): Promise<(string | null)[]> {
  const { rows } = await sql<{ lockedBy: string | null }>`
    select locked_by from graphile_worker.jobs where task_identifier = ${job}`.execute(app.db);
  return rows.map(({ lockedBy }) => lockedBy);
}

async function addLockedJob(workerId: string, email: string, secondsAgo = 0): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    await enqueue(tx, 'send-reset-link', { email });
    await sql`
      update graphile_worker._private_jobs set locked_by = ${workerId},
             locked_at = now() - make_interval(secs => ${secondsAgo}), attempts = 1
       where locked_by is null and attempts = 0`.execute(tx);
  });
}

/** What stays locked would keep the next test from settling. */
const removeJobs = () => sql`delete from graphile_worker._private_jobs`.execute(app.db);

/** Waits for heartbeats. Each is followed by a check for jobs of lost workers; the last check may still be running. */
async function waitForBeats(count: number): Promise<void> {
  const lastSeen = async () => {
    const { seenAt } = await app.db
      .selectFrom('workerHeartbeats')
      .select(({ fn }) => fn.max('seenAt').as('seenAt'))
      .where('id', '<>', ELSEWHERE)
      .executeTakeFirstOrThrow();
    return Number(seenAt);
  };
  for (let beat = 0; beat < count; beat++) {
    const before = await lastSeen();
    await expect.poll(lastSeen).not.toBe(before);
  }
}

describe('a slow worker', () => {
  it('keeps its job, which no other worker starts', async () => {
    await app.settle();
    const { send } = app.deps.mailer;
    let sent = 0;
    let holders: (string | null)[] = [];
    app.deps.mailer.send = async (email) => {
      sent += 1;
      await waitForBeats(4);
      holders = await workersOf('send-email');
      await send(email);
    };
    await newOrganizer(app);
    await app.settle();
    app.deps.mailer.send = send;

    expect(sent).toBe(1);
    expect(holders).toEqual([expect.any(String)]);
  });
});

describe('a job that was assigned but never started', () => {
  it('runs on another pool once the pool that locked it is replaced', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    const [own] = await app.db.selectFrom('workerHeartbeats').select('id').orderBy('seenAt', 'desc').execute();
    await addLockedJob(own?.id ?? '', email);

    await expect.poll(isJobQueued).toBe(false);
  });
});

describe('workers that ask for no jobs', () => {
  const reasons: string[] = [];
  let heartbeat: WorkerHeartbeat;
  let events: WorkerEvents;
  beforeAll(() => {
    heartbeat = workerHeartbeat(app.deps, { ...QUICK, concurrency: 2 }, (reason) => reasons.push(reason));
    events = heartbeat.eventsOfNextPool();
    heartbeat.start();
  });
  afterAll(() => heartbeat.stop());

  const emit = (event: 'job:start' | 'job:complete', id: string) =>
    events.emit(event, Object.assign(Object.create(null), { job: { id } }));

  async function suspectedDuring(work: () => Promise<void>): Promise<string[]> {
    const asking = setInterval(() => events.emit('worker:getJob:empty', Object.create(null)), 50);
    // A heartbeat that began before the first of them may still be judging.
    await waitForBeats(2);
    reasons.splice(0);
    await work();
    clearInterval(asking);
    return reasons;
  }

  it('are noticed although nothing fails', async () => {
    await expect.poll(() => reasons).toContain('no idle worker asks for jobs');
  });

  it('are not suspected while one asks', async () => {
    expect(await suspectedDuring(() => waitForBeats(8))).toEqual([]);
  });

  it('are not suspected while all of them run jobs, but while one of them is idle', async () => {
    await suspectedDuring(async () => {
      emit('job:start', 'first');
      emit('job:start', 'second');
    });
    await waitForBeats(8);
    expect(reasons).toEqual([]);

    emit('job:complete', 'first');
    await expect.poll(() => reasons).toContain('no idle worker asks for jobs');
    emit('job:complete', 'second');
  });

  it('are judged by the requests of their own pool', async () => {
    const late = events;
    events = heartbeat.eventsOfNextPool();
    reasons.splice(0);
    const asking = setInterval(() => late.emit('worker:getJob:empty', Object.create(null)), 50);
    await expect.poll(() => reasons).toContain('no idle worker asks for jobs');
    clearInterval(asking);
  });
});

describe('a killed worker', () => {
  it('loses its job to another worker within seconds', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    await addLockedJob('worker-that-is-gone', email, 60);

    await expect.poll(isJobQueued).toBe(false);
  });

  it('is none while its first heartbeat may be on its way', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    // As if the clock of the lock were a minute ahead.
    await addLockedJob('worker-that-begins', email, -60);

    await waitForBeats(3);
    expect(await workersOf('send-reset-link')).toEqual(['worker-that-begins']);
    await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`.execute(app.db);
    await expect.poll(isJobQueued).toBe(false);
  });

  it('keeps its job while its heartbeat is recent', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    await sql`insert into worker_heartbeats (id, seen_at) values (${ELSEWHERE}, now() + interval '1 minute')`.execute(
      app.db,
    );
    await addLockedJob(ELSEWHERE, email);

    await waitForBeats(3);
    expect(await workersOf('send-reset-link')).toEqual([ELSEWHERE]);
    await removeJobs();
  });
});

describe('a queue', () => {
  it('that stays locked after its job is gone is unlocked, and one with a job is not', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    const queueOf = async (name: string) => {
      const { rows } = await sql<{ lockedBy: string | null }>`
        select locked_by from graphile_worker._private_job_queues where queue_name = ${name}`.execute(app.db);
      return rows[0]?.lockedBy;
    };
    await sql`insert into worker_heartbeats (id, seen_at) values ('worker-alive', now() + interval '1 minute')
              on conflict (id) do update set seen_at = excluded.seen_at`.execute(app.db);
    await app.db.transaction().execute(async (tx) => {
      await enqueue(tx, 'send-reset-link', { email }, { queue: 'with a job' });
      await enqueue(tx, 'send-records-link', { email }, { queue: 'without its job' });
      await sql`update graphile_worker._private_job_queues set locked_by = 'worker-alive', locked_at = now()
                 where queue_name in ('with a job', 'without its job')`.execute(tx);
      await sql`update graphile_worker._private_jobs j set locked_by = 'worker-alive', locked_at = now(), attempts = 1
                  from graphile_worker._private_tasks t
                 where t.id = j.task_id and t.identifier = 'send-reset-link'`.execute(tx);
    });

    await expect.poll(async () => (await workersOf('send-records-link')).length).toBe(0);
    expect([await queueOf('with a job'), await workersOf('send-reset-link')]).toEqual([
      'worker-alive',
      ['worker-alive'],
    ]);
    await removeJobs();
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '#server/main/worker.ts';
import type { Pool } from '#server/platform/database.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { poolOf } from '#tests/support/pool-of.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { enqueue, type JobName } from './jobs.sql.ts';
import { QUEUE_TIMES, type QueueTimes } from './queue-times.ts';

const ELSEWHERE = 'worker-elsewhere';

/** As in production, and shorter. */
const QUICK: QueueTimes = {
  ...QUEUE_TIMES,
  pollMs: 200,
  beatMs: 200,
  lostAfterSeconds: 1,
  heardAfterSeconds: 0.5,
  givesUpWithinMs: 1_000,
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

const jobIsLeft = async () => (await holdersOf('send-reset-link')).length > 0;

async function holdersOf(job: JobName): Promise<(string | null)[]> {
  const { rows } = await sql<{ lockedBy: string | null }>`
    select locked_by from graphile_worker.jobs where task_identifier = ${job}`.execute(app.db);
  return rows.map(({ lockedBy }) => lockedBy);
}

async function jobOfWorker(workerId: string, email: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    await enqueue(tx, 'send-reset-link', { email });
    await sql`
      update graphile_worker._private_jobs set locked_by = ${workerId}, locked_at = now(), attempts = 1
       where locked_by is null and attempts = 0`.execute(tx);
  });
}

/** Heartbeats of the worker, each followed by a look for jobs whose worker is gone. The last one's look may be under way. */
async function beats(count: number): Promise<void> {
  const lastSeen = async () => {
    const { seenAt } = await app.db
      .selectFrom('livingWorkers')
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

describe('a worker that takes its time', () => {
  it('keeps its job, which nobody else begins', async () => {
    await app.settle();
    const { send } = app.deps.mailer;
    let sent = 0;
    let holders: (string | null)[] = [];
    app.deps.mailer.send = async (mail) => {
      sent += 1;
      await beats(4);
      holders = await holdersOf('send-mail');
      await send(mail);
    };
    await newOrganizer(app);
    await app.settle();
    app.deps.mailer.send = send;

    expect(sent).toBe(1);
    expect(holders).toEqual([expect.any(String)]);
  });
});

describe('a job that was given out and never arrived', () => {
  it('is done by others, once the pool that holds it unknowingly has made way', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    const [own] = await app.db.selectFrom('livingWorkers').select('id').orderBy('seenAt', 'desc').execute();
    await jobOfWorker(own?.id ?? '', email);

    await expect.poll(jobIsLeft).toBe(false);
  });
});

describe('a worker that was killed', () => {
  it('leaves its job to the others within seconds', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    await jobOfWorker('worker-that-is-gone', email);

    await expect.poll(jobIsLeft).toBe(false);
  });

  it('keeps its job while it is seen', async () => {
    const { email } = await newOrganizer(app);
    await app.settle();
    await sql`insert into living_workers (id, seen_at) values (${ELSEWHERE}, now() + interval '1 minute')`.execute(
      app.db,
    );
    await jobOfWorker(ELSEWHERE, email);

    await beats(3);
    expect(await holdersOf('send-reset-link')).toEqual([ELSEWHERE]);
  });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from '#server/database.ts';
import { enqueue, type JobName } from '#server/jobs/jobs.sql.ts';
import { QUEUE_TIMES, type QueueTimes } from '#server/jobs/queue-times.ts';
import { startWorker, type Worker } from '#server/jobs/worker.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { poolOf } from '#tests/support/pool-of.ts';
import { openWorld, type World } from '#tests/support/world.ts';

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

let world: World;
let pool: Pool;
let worker: Worker;
beforeAll(async () => {
  world = await openWorld({ runsJobs: false });
  pool = await poolOf(world);
  worker = await startWorker(world.deps, pool, QUICK);
});
afterAll(async () => {
  await worker.stop();
  await pool.end();
  await world.close();
});

const jobIsLeft = async () => (await holdersOf('send-reset-link')).length > 0;

async function holdersOf(job: JobName): Promise<(string | null)[]> {
  const { rows } = await sql<{ lockedBy: string | null }>`
    select locked_by from graphile_worker.jobs where task_identifier = ${job}`.execute(world.db);
  return rows.map(({ lockedBy }) => lockedBy);
}

async function jobOfWorker(workerId: string, email: string): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    await enqueue(tx, 'send-reset-link', { email });
    await sql`
      update graphile_worker._private_jobs set locked_by = ${workerId}, locked_at = now(), attempts = 1
       where locked_by is null and attempts = 0`.execute(tx);
  });
}

/** Heartbeats of the worker, each followed by a look for jobs whose worker is gone. The last one's look may be under way. */
async function beats(count: number): Promise<void> {
  const lastSeen = async () => {
    const { seenAt } = await world.db
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
    await world.settle();
    const { send } = world.deps.mailer;
    let sent = 0;
    let holders: (string | null)[] = [];
    world.deps.mailer.send = async (mail) => {
      sent += 1;
      await beats(4);
      holders = await holdersOf('send-mail');
      await send(mail);
    };
    await newOrganizer(world);
    await world.settle();
    world.deps.mailer.send = send;

    expect(sent).toBe(1);
    expect(holders).toEqual([expect.any(String)]);
  });
});

describe('a job that was given out and never arrived', () => {
  it('is done by others, once the pool that holds it unknowingly has made way', async () => {
    const { email } = await newOrganizer(world);
    await world.settle();
    const [own] = await world.db.selectFrom('livingWorkers').select('id').orderBy('seenAt', 'desc').execute();
    await jobOfWorker(own?.id ?? '', email);

    await expect.poll(jobIsLeft).toBe(false);
  });
});

describe('a worker that was killed', () => {
  it('leaves its job to the others within seconds', async () => {
    const { email } = await newOrganizer(world);
    await world.settle();
    await jobOfWorker('worker-that-is-gone', email);

    await expect.poll(jobIsLeft).toBe(false);
  });

  it('keeps its job while it is seen', async () => {
    const { email } = await newOrganizer(world);
    await world.settle();
    await sql`insert into living_workers (id, seen_at) values (${ELSEWHERE}, now() + interval '1 minute')`.execute(
      world.db,
    );
    await jobOfWorker(ELSEWHERE, email);

    await beats(3);
    expect(await holdersOf('send-reset-link')).toEqual([ELSEWHERE]);
  });
});

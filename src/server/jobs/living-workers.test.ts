import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function jobIsLeft(): Promise<boolean> {
  const { rows } = await sql`select 1 from graphile_worker.jobs where task_identifier = 'send-reset-link'`.execute(
    world.db,
  );
  return rows.length > 0;
}

async function jobOfWorker(workerId: string, email: string): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    await enqueue(tx, 'send-reset-link', { email });
    await sql`
      update graphile_worker._private_jobs set locked_by = ${workerId}, locked_at = now(), attempts = 1
       where locked_by is null and attempts = 0`.execute(tx);
  });
}

describe('a worker that takes its time', () => {
  it('keeps its job, which nobody else begins', async () => {
    await world.settle();
    const { send } = world.deps.mailer;
    let sent = 0;
    world.deps.mailer.send = async (mail) => {
      sent += 1;
      // Longer than two workers are apart in being seen.
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      await send(mail);
    };
    await newOrganizer(world);
    await world.settle();
    world.deps.mailer.send = send;

    expect(sent).toBe(1);
  });
});

describe('a job that was given out and never arrived', () => {
  it('is done by others, once the pool that holds it unknowingly has made way', { timeout: 120_000 }, async () => {
    const { email } = await newOrganizer(world);
    await world.settle();
    const [pool] = await world.db.selectFrom('livingWorkers').select('id').orderBy('seenAt', 'desc').execute();
    await jobOfWorker(pool?.id ?? '', email);

    await expect.poll(jobIsLeft, { timeout: 90_000, interval: 500 }).toBe(false);
  });
});

describe('a worker that was killed', () => {
  it('leaves its job to the others within seconds', async () => {
    const { email } = await newOrganizer(world);
    await world.settle();
    await jobOfWorker('worker-that-is-gone', email);

    await expect.poll(jobIsLeft, { timeout: 15_000 }).toBe(false);
  });

  it('keeps its job while it is seen', async () => {
    const { email } = await newOrganizer(world);
    await world.settle();
    await sql`insert into living_workers (id, seen_at) values ('worker-elsewhere', now() + interval '1 minute')`.execute(
      world.db,
    );
    await jobOfWorker('worker-elsewhere', email);

    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await jobIsLeft()).toBe(true);
  });
});

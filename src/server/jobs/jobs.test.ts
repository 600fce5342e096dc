import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '#tests/support/world.ts';
import { enqueue } from './jobs.sql.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ runsJobs: false });
});
afterAll(() => world.close());

it('a job is not lost that is added in the moment in which the waiting one of its key begins', async () => {
  await enqueue(world.db, 'send-reset-link', { email: 'first@example.com' }, { key: 'one subject' });

  const second = await world.db.transaction().execute(async (tx) => {
    await sql`
      update graphile_worker._private_jobs set locked_by = 'a worker', locked_at = now(), attempts = 1
       where key = 'one subject'`.execute(tx);
    const adding = enqueue(world.db, 'send-reset-link', { email: 'second@example.com' }, { key: 'one subject' });
    await world.untilSomeoneWaits();
    // In an object, because a transaction waits for the promise that it is given.
    return { adding };
  });
  await second.adding;

  const { rows } = await sql<{ email: string }>`
    select payload->>'email' as email from graphile_worker._private_jobs order by id`.execute(world.db);
  expect(rows.map(({ email }) => email)).toEqual(['first@example.com', 'second@example.com']);
});

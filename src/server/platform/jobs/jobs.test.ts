import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { enqueue } from './jobs.sql.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

it('keeps a job that is enqueued while the waiting job with the same key starts', async () => {
  await enqueue(app.db, 'send-reset-link', { email: 'first@example.com' }, { key: 'one subject' });

  const second = await app.db.transaction().execute(async (tx) => {
    await sql`
      update graphile_worker._private_jobs set locked_by = 'a worker', locked_at = now(), attempts = 1
       where key = 'one subject'`.execute(tx);
    const enqueued = enqueue(app.db, 'send-reset-link', { email: 'second@example.com' }, { key: 'one subject' });
    await app.untilBlocked();
    // Wrapped in an object because the transaction would await a returned promise.
    return { enqueued };
  });
  await second.enqueued;

  const { rows } = await sql<{ email: string }>`
    select payload->>'email' as email from graphile_worker._private_jobs order by id`.execute(app.db);
  expect(rows.map(({ email }) => email)).toEqual(['first@example.com', 'second@example.com']);
});

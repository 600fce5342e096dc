import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#tests/support/metrics.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { enqueue, removeReplacedJobs } from './jobs.sql.ts';

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

it('forgets a job that failed after a newer one took its key, and no other that was given up [ALERT-3]', async () => {
  const failed = sql`locked_by = null, locked_at = null, last_error = 'no answer'`;
  const add = (webhookEventId: string) =>
    enqueue(app.db, 'process-webhook-event', { webhookEventId }, { key: 'webhook of an order' });
  await sql`delete from graphile_worker._private_jobs`.execute(app.db);
  await add('first');
  await sql`update graphile_worker._private_jobs set locked_by = 'a worker', locked_at = now(), attempts = 1`.execute(
    app.db,
  );
  await add('second');
  await sql`update graphile_worker._private_jobs set ${failed} where locked_by is not null`.execute(app.db);
  await enqueue(app.db, 'send-email', { emailId: 'third' });
  await sql`
    update graphile_worker._private_jobs set attempts = max_attempts, ${failed}
     where payload ->> 'emailId' is not null`.execute(app.db);

  const jobs = async () => {
    const { rows } = await sql<{ about: string; isGivenUp: boolean }>`
      select coalesce(payload ->> 'webhookEventId', payload ->> 'emailId') as about,
             attempts >= max_attempts as "isGivenUp" from graphile_worker._private_jobs order by id`.execute(app.db);
    return rows.map(({ about, isGivenUp }) => `${about}${isGivenUp ? ' given up' : ''}`);
  };
  expect(await jobs()).toEqual(['first given up', 'second', 'third given up']);
  await removeReplacedJobs(app.db);
  expect(await jobs()).toEqual(['second', 'third given up']);

  await sql`update graphile_worker._private_jobs set attempts = max_attempts, ${failed}`.execute(app.db);
  await removeReplacedJobs(app.db);
  expect(await jobs()).toEqual(['second given up', 'third given up']);
});

it('leaves a job of a newer release to its workers [UP-4]', async () => {
  const older = await startTestApp();
  const jobs = async () => {
    const { rows } = await sql<{ task: string; attempts: number; worker: string | null }>`
      select task_identifier as task, attempts, locked_by as worker from graphile_worker.jobs`.execute(older.db);
    return rows;
  };
  await sql`select graphile_worker.add_job('of-a-newer-release')`.execute(older.db);
  await enqueue(older.db, 'roll-up-ticket-totals', {});

  await until('the known job is done', async () => (await jobs()).length === 1);
  expect(await jobs()).toEqual([{ task: 'of-a-newer-release', attempts: 0, worker: null }]);
  await older.close();
});

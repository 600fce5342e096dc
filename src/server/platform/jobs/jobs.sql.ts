/** Puts work into the queue, inside the transaction that makes the work necessary, and keeps it from being left lying. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Every job that can be queued, with what it needs to know. */
export interface Jobs {
  'send-mail': { mailId: string };
  'apply-notice': { noticeId: string };
  'send-reset-link': { email: string };
  'send-records-link': { email: string };
  'announce-event-change': { eventId: string; changeId: string };
  'send-refund': { eventId: string; refundId: string };
  'refund-cancelled-event': { eventId: string };
  'close-checkouts': { eventId: string };
  'reconcile-days': Record<string, never>;
  'fold-ticket-totals': Record<string, never>;
  'send-payout': { eventId: string; payoutId: string };
  'send-recovery': { eventId: string; recoveryId: string };
}

export type JobName = keyof Jobs;

const MAX_ATTEMPTS = 25;

interface Options {
  afterSeconds?: number;
  /** Of two waiting jobs with one key only the later is done; one that has begun does not count. */
  key?: string | null;
  /** The jobs of one queue are done one after the other, in whichever process. */
  queue?: string;
}

/** Runs after the commit, once; a job that throws is tried again with growing pauses. */
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
        max_attempts => ${MAX_ATTEMPTS}, run_at => now() + make_interval(secs => ${afterSeconds}), job_key => ${jobKey},
        queue_name => ${queue ?? null})).id`.execute(db);
  const { rows } = await add(key);
  // The waiting job of this key begins in this very moment, too late to see why we are here: the queue then adds none.
  if (rows[0]?.id === null) await add(null);
}

export async function seeWorkers(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db
    .insertInto('livingWorkers')
    .values(workerIds.map((id) => ({ id, seenAt: sql<Date>`now()` })))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seenAt: sql<Date>`now()` }))
    .execute();
}

export async function releaseJobs(db: Db, lostAfterSeconds: number): Promise<void> {
  await sql`delete from living_workers where seen_at < now() - make_interval(secs => ${lostAfterSeconds})`.execute(db);
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs
     where locked_by is not null
       and not exists (select 1 from living_workers where id = locked_by)
    having count(*) > 0`.execute(db);
}

/** Jobs that these workers have held for longer than `seconds`. */
export async function jobsLockedBy(db: Db, workerIds: readonly string[], seconds: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.jobs
     where locked_by = any (${workerIds}) and locked_at < now() - make_interval(secs => ${seconds})`.execute(db);
  return rows.map(({ id }) => id);
}

/** How much is due, under way, and given up after its last try. */
export async function countJobs(db: Db): Promise<{ due: number; running: number; givenUp: number }> {
  const { rows } = await sql<{ due: number; running: number; givenUp: number }>`
    select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
           count(*) filter (where locked_at is not null)::int as running,
           count(*) filter (where locked_at is null and attempts >= max_attempts)::int as given_up
      from graphile_worker.jobs`.execute(db);
  return rows[0] ?? { due: 0, running: 0, givenUp: 0 };
}

/** Puts work into the queue, inside the transaction that makes the work necessary. */
import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

/** Every job that can be queued, with what it needs to know. */
export interface Jobs {
  'send-mail': { mailId: string };
  'apply-notice': { noticeId: string };
  'send-reset-link': { email: string };
  'announce-event-change': { eventId: string; changeId: string };
  'send-refund': { eventId: string; refundId: string };
  'refund-cancelled-event': { eventId: string };
  'close-checkouts': { eventId: string };
}

export type JobName = keyof Jobs;

const TRIES = 25;

/** Runs after the commit, once; a job that throws is tried again with growing pauses. */
export async function enqueue<Name extends JobName>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  { afterSeconds = 0 } = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json,
      max_attempts => ${TRIES}, run_at => now() + make_interval(secs => ${afterSeconds}))`.execute(db);
}

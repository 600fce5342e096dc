/** Backoff for reading the same payment, refund or dispute from Stripe again. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface Poll {
  subject: string;
  /** Its state as last seen. A new state is polled at once. */
  seen: string;
}

/** Subjects with a new state, or whose backoff is over. It grows from 20 minutes to a day. */
export async function pollsDue<Item extends Poll>(db: Db, items: readonly Item[]): Promise<Item[]> {
  if (items.length === 0) return [];
  const { rows } = await sql<Poll>`
    select subject, seen
      from reconciliation_polls
     where subject = any(${items.map(({ subject }) => subject)}::text[])
       and polled_at + least(interval '1 day', interval '20 minutes' * 3 ^ least(polls - 1, 5)) > business_now()`.execute(
    db,
  );
  const backingOff = new Map(rows.map(({ subject, seen }) => [subject, seen]));
  return items.filter(({ subject, seen }) => backingOff.get(subject) !== seen);
}

export async function recordPolls(db: Db, polls: readonly Poll[]): Promise<void> {
  if (polls.length === 0) return;
  await sql`
    insert into reconciliation_polls as known (subject, seen, polled_at)
    select distinct on (subject) subject, seen, business_now()
      from unnest(${polls.map(({ subject }) => subject)}::text[], ${polls.map(({ seen }) => seen)}::text[])
             as polls (subject, seen)
    on conflict (subject) do update
       set polls = case when known.seen = excluded.seen then known.polls + 1 else 1 end,
           seen = excluded.seen, polled_at = excluded.polled_at`.execute(db);
}

/** Keeps polls for longer than the longest backoff. */
export async function deleteOldPolls(db: Db): Promise<void> {
  await sql`delete from reconciliation_polls where polled_at < business_now() - interval '30 days'`.execute(db);
}

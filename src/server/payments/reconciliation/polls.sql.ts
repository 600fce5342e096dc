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
      from reconciler_looks
     where subject = any(${items.map(({ subject }) => subject)}::text[])
       and looked_at + least(interval '1 day', interval '20 minutes' * 3 ^ least(looks - 1, 5)) > business_now()`.execute(
    db,
  );
  const backingOff = new Map(rows.map(({ subject, seen }) => [subject, seen]));
  return items.filter(({ subject, seen }) => backingOff.get(subject) !== seen);
}

export async function recordPolls(db: Db, polls: readonly Poll[]): Promise<void> {
  if (polls.length === 0) return;
  await sql`
    insert into reconciler_looks as known (subject, seen, looked_at)
    select distinct on (subject) subject, seen, business_now()
      from unnest(${polls.map(({ subject }) => subject)}::text[], ${polls.map(({ seen }) => seen)}::text[])
             as polls (subject, seen)
    on conflict (subject) do update
       set looks = case when known.seen = excluded.seen then known.looks + 1 else 1 end,
           seen = excluded.seen, looked_at = excluded.looked_at`.execute(db);
}

/** Keeps polls for longer than the longest backoff. */
export async function deleteOldPolls(db: Db): Promise<void> {
  await sql`delete from reconciler_looks where looked_at < business_now() - interval '30 days'`.execute(db);
}

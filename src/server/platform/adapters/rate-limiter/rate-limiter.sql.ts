/** Uses the database's clock, because the servers' clocks may differ by more than a window. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface Consumption {
  key: string;
  points: number;
  /** Length of the window, if this consumption starts one. */
  forMs: number;
}

export interface Consumed {
  key: string;
  points: number;
  /** Time until the limit resets. */
  leftMs: number;
}

const nowMs = sql<number>`(extract(epoch from now()) * 1000)::bigint`;

/**
 * Adds points and returns the totals. Keys must be unique; their order prevents deadlocks between servers. The table is
 * unlogged, so the commit does not wait for the disk.
 */
export async function consumePoints(db: Db, consumptions: readonly Consumption[]): Promise<Consumed[]> {
  const { rows } = await sql<Consumed>`
    insert into rate_limits as t (key, points, expire)
    select consumed.key, consumed.points, ${nowMs} + consumed.for_ms
      from unnest(
        ${consumptions.map((one) => one.key)}::text[],
        ${consumptions.map((one) => one.points)}::integer[],
        ${consumptions.map((one) => one.forMs)}::bigint[]) as consumed (key, points, for_ms)
     order by consumed.key
        on conflict (key) do update
       set points = case when t.expire > ${nowMs} then t.points else 0 end + excluded.points,
           expire = case when t.expire > ${nowMs} then t.expire else excluded.expire end
    returning key, points, expire - ${nowMs} as left_ms`.execute(db);
  return rows;
}

export async function returnPoint(db: Db, key: string): Promise<void> {
  await sql`update rate_limits set points = points - 1 where key = ${key} and points > 0 and expire > ${nowMs}`.execute(
    db,
  );
}

export async function removeExpired(db: Db): Promise<void> {
  await db.deleteFrom('rateLimits').where('expire', '<', nowMs).execute();
}

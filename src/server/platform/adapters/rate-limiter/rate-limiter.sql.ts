/** By the database's clock: those of the servers may differ by more than a budget lasts. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface Consumption {
  key: string;
  points: number;
  /** After so long the budget is whole again, if this is the first of it. */
  forMs: number;
}

export interface Consumed {
  key: string;
  points: number;
  /** Until the budget is whole again. */
  leftMs: number;
}

const nowMs = sql<number>`(extract(epoch from now()) * 1000)::bigint`;

/**
 * Adds to the budgets, each named once, and answers what was spent of them. In the order of the keys, so that two servers never
 * wait for each other. The table is unlogged, so this commits without waiting for the disk.
 */
export async function consumePoints(db: Db, spendings: readonly Consumption[]): Promise<Consumed[]> {
  const { rows } = await sql<Consumed>`
    insert into tries as t (key, points, expire)
    select spent.key, spent.points, ${nowMs} + spent.for_ms
      from unnest(
        ${spendings.map((one) => one.key)}::text[],
        ${spendings.map((one) => one.points)}::integer[],
        ${spendings.map((one) => one.forMs)}::bigint[]) as spent (key, points, for_ms)
     order by spent.key
        on conflict (key) do update
       set points = case when t.expire > ${nowMs} then t.points else 0 end + excluded.points,
           expire = case when t.expire > ${nowMs} then t.expire else excluded.expire end
    returning key, points, expire - ${nowMs} as left_ms`.execute(db);
  return rows;
}

export async function removeExpired(db: Db): Promise<void> {
  await db.deleteFrom('tries').where('expire', '<', nowMs).execute();
}

import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

export interface Spending {
  key: string;
  points: number;
  /** When the budget is whole again, if this is the first of it; in milliseconds since 1970. */
  expire: number;
}

/**
 * Adds to the budgets, each named once, and answers what was spent of them. In the order of the keys, so that two servers never
 * wait for each other. The table is unlogged, so this commits without waiting for the disk.
 */
export async function spendPoints(db: Db, spendings: readonly Spending[], now: number): Promise<Spending[]> {
  const { rows } = await sql<Spending>`
    insert into tries as t (key, points, expire)
    select * from unnest(
      ${spendings.map((one) => one.key)}::text[],
      ${spendings.map((one) => one.points)}::integer[],
      ${spendings.map((one) => one.expire)}::bigint[]) as spent (key, points, expire)
     order by spent.key
        on conflict (key) do update
       set points = case when t.expire > ${now} then t.points else 0 end + excluded.points,
           expire = case when t.expire > ${now} then t.expire else excluded.expire end
    returning key, points, expire`.execute(db);
  return rows;
}

export async function removeSpent(db: Db, before: number): Promise<void> {
  await db.deleteFrom('tries').where('expire', '<', before).execute();
}

import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export function readClock(db: Db): Promise<{ offsetSeconds: number; databaseNow: Date }> {
  return db
    .selectFrom('businessClock')
    .select(['offsetSeconds', sql<Date>`clock_timestamp()`.as('databaseNow')])
    .executeTakeFirstOrThrow();
}

export async function addToOffset(db: Db, seconds: number): Promise<number> {
  const row = await db
    .updateTable('businessClock')
    .set((column) => ({ offsetSeconds: column('offsetSeconds', '+', seconds) }))
    .returning('offsetSeconds')
    .executeTakeFirstOrThrow();
  return row.offsetSeconds;
}

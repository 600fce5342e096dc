import type { Db } from '#server/database.ts';

export async function readOffsetSeconds(db: Db): Promise<number> {
  const row = await db.selectFrom('businessClock').select('offsetSeconds').executeTakeFirstOrThrow();
  return row.offsetSeconds;
}

export async function addToOffset(db: Db, seconds: number): Promise<number> {
  const row = await db
    .updateTable('businessClock')
    .set((column) => ({ offsetSeconds: column('offsetSeconds', '+', seconds) }))
    .returning('offsetSeconds')
    .executeTakeFirstOrThrow();
  return row.offsetSeconds;
}

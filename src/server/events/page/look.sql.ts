import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export async function insertLook(db: Db, { hash, css }: { hash: string; css: string }): Promise<void> {
  await db
    .insertInto('lookFiles')
    .values({ hash, css, createdAt: sql<Date>`business_now()` })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

export async function findLook(db: Db, hash: string): Promise<string | null> {
  const look = await db.selectFrom('lookFiles').where('hash', '=', hash).select('css').executeTakeFirst();
  return look?.css ?? null;
}

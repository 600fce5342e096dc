import type { Insertable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export async function insertEntry(db: Db, entry: Insertable<Schema['auditEvents']>): Promise<void> {
  await db.insertInto('auditEvents').values(entry).execute();
}

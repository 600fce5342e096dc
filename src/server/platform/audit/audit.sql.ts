import type { Insertable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export async function insertEntry(db: Db, entry: Insertable<Schema['auditEntries']>): Promise<void> {
  await db.insertInto('auditEntries').values(entry).execute();
}

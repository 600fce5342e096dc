import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

interface Column {
  table: string;
  column: string;
}

interface SealedRow {
  id: string;
  sealed: Buffer;
}

/** The next rows with a sealed value, by id. */
export async function sealedAfter(db: Db, { table, column }: Column, after: string, limit: number) {
  const { rows } = await sql<SealedRow>`
    select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
     where ${sql.ref(column)} is not null and id > ${after}
     order by id limit ${limit}`.execute(db);
  return rows;
}

/** Leaves a value that changed since it was read. */
export async function replaceSealed(
  db: Db,
  { table, column }: Column,
  { id, sealed, resealed }: SealedRow & { resealed: Buffer },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
     where id = ${id} and ${sql.ref(column)} = ${sealed}`.execute(db);
}

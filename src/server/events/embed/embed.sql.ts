import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export async function embedRow(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['embedOrigins', 'isPublished'])
    .executeTakeFirstOrThrow();
}

/** False if it is listed already, or if the list is full. */
export async function addEmbedOrigin(
  tx: Db,
  eventId: string,
  { origin, max }: { origin: string; max: number },
): Promise<boolean> {
  const added = await tx
    .updateTable('events')
    .set({ embedOrigins: sql<string[]>`array_append(embed_origins, ${origin}::text)` })
    .where('id', '=', eventId)
    .where(sql<boolean>`${origin}::text <> all (embed_origins) and cardinality(embed_origins) < ${max}`)
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** False if it isn't listed. */
export async function removeEmbedOrigin(tx: Db, eventId: string, origin: string): Promise<boolean> {
  const removed = await tx
    .updateTable('events')
    .set({ embedOrigins: sql<string[]>`array_remove(embed_origins, ${origin}::text)` })
    .where('id', '=', eventId)
    .where(sql<boolean>`${origin}::text = any (embed_origins)`)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Those that are not removed: how many there are, and whether one of them ends like this. */
export async function liveLinks(db: Db, eventId: string, slug: string): Promise<{ count: number; isTaken: boolean }> {
  const { rows } = await sql<{ count: number; isTaken: boolean }>`
    select count(*)::int as count, coalesce(bool_or(slug = ${slug}), false) as is_taken
      from tracking_links where event_id = ${eventId} and removed_at is null`.execute(db);
  return rows[0] ?? { count: 0, isTaken: false };
}

export async function insertLink(db: Db, link: Insertable<Schema['trackingLinks']>): Promise<void> {
  await db.insertInto('trackingLinks').values(link).execute();
}

/** False if there is none, or it was removed before. */
export async function markRemoved(
  db: Db,
  { eventId, linkId }: { eventId: string; linkId: string },
  removedAt: Date,
): Promise<boolean> {
  const removed = await db
    .updateTable('trackingLinks')
    .set({ removedAt })
    .where('eventId', '=', eventId)
    .where('id', '=', linkId)
    .where('removedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Share-locks the organization's event against edits of it and its photos. Its sales go on. */
export async function lockToCopy(tx: Db, organizationId: string, eventId: string) {
  return tx
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .selectAll()
    .select(sql<Date>`business_now()`.as('now'))
    .forShare()
    .executeTakeFirst();
}

/** The draft that an earlier request with this id made. */
export async function findCopy(tx: Db, organizationId: string, duplicateId: string): Promise<string | undefined> {
  const copy = await tx
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where('duplicateId', '=', duplicateId)
    .select('id')
    .executeTakeFirst();
  return copy?.id;
}

/** Null for an event in no series, and for one that isn't the organization's. */
export async function seriesOf(db: Db, organizationId: string, eventId: string): Promise<string | null> {
  const event = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizationId', '=', organizationId)
    .select('seriesId')
    .executeTakeFirst();
  return event?.seriesId ?? null;
}

export async function draftDatesOf(tx: Db, seriesId: string): Promise<string[]> {
  const drafts = await tx
    .selectFrom('events')
    .where('seriesId', '=', seriesId)
    .where('isPublished', '=', false)
    .select('id')
    .orderBy('id')
    .execute();
  return drafts.map(({ id }) => id);
}

/** Made before a time and never published, of organizations that can act, in order of id. */
export async function oldDrafts(db: Db, { before, after, limit }: { before: Date; after: string; limit: number }) {
  return db
    .selectFrom('events as e')
    .innerJoin('organizations as o', 'o.id', 'e.organizationId')
    .where('e.isPublished', '=', false)
    .where('e.pageVersion', '=', 0)
    .where('e.createdAt', '<', before)
    .where('o.suspendedAt', 'is', null)
    .where('e.id', '>', after)
    .select(['e.id', 'e.organizationId', 'e.createdAt'])
    .orderBy('e.id')
    .limit(limit)
    .execute();
}

/** With what belongs to it. Fails while other modules' rows refer to it. */
export async function deleteEvent(tx: Db, eventId: string): Promise<void> {
  await tx.deleteFrom('events').where('id', '=', eventId).where('isPublished', '=', false).execute();
}

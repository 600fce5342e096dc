import { type Insertable, sql } from 'kysely';
import type { Focus } from '#domain/sales/photos.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Schema } from '#server/platform/schema.ts';

/** In carousel order. */
export async function findPhotos(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('eventPhotos')
    .where('eventId', 'in', eventIds)
    .select(['eventId', 'fileName', 'position', 'focusX', 'focusY', 'altText', 'isCover'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function findPhotoRows(db: Db, eventId: string) {
  return db.selectFrom('eventPhotos').where('eventId', '=', eventId).selectAll().orderBy('position').execute();
}

/** Locks the event until the transaction ends, so that concurrent uploads count each other's photos. */
export async function lockEvent(db: Db, eventId: string): Promise<void> {
  await db.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
}

export async function insertPhotos(
  db: Db,
  photos: { eventId: string; fileNames: readonly string[]; firstPosition: number; createdAt: Date },
): Promise<void> {
  const { eventId, fileNames, firstPosition, createdAt } = photos;
  await db
    .insertInto('eventPhotos')
    .values(
      fileNames.map((fileName, index) => ({
        eventId,
        id: newId(),
        position: firstPosition + index,
        fileName,
        createdAt,
      })),
    )
    .execute();
}

export async function insertPhotoRows(db: Db, photos: readonly Insertable<Schema['eventPhotos']>[]): Promise<void> {
  if (photos.length > 0) await db.insertInto('eventPhotos').values(photos).execute();
}

export interface ArrangedPhoto {
  fileName: string;
  altText: string;
  focus: Focus | null;
}

/** In their new order. */
export async function storeArrangement(
  tx: Db,
  eventId: string,
  { photos, cover }: { photos: readonly ArrangedPhoto[]; cover: string | null },
): Promise<void> {
  // First, because an event has one cover at any time.
  await tx
    .updateTable('eventPhotos')
    .set({ isCover: false })
    .where('eventId', '=', eventId)
    .where('isCover', '=', true)
    .execute();
  const rows = photos.map(({ fileName, altText, focus }, position) => ({
    position,
    file_name: fileName,
    alt_text: altText,
    focus_x: focus?.x ?? null,
    focus_y: focus?.y ?? null,
    is_cover: fileName === cover,
  }));
  await sql`
    update event_photos p
       set position = n.position, alt_text = n.alt_text, focus_x = n.focus_x, focus_y = n.focus_y, is_cover = n.is_cover
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as n (position integer, file_name text, alt_text text, focus_x smallint, focus_y smallint, is_cover boolean)
     where p.event_id = ${eventId} and p.file_name = n.file_name`.execute(tx);
}

/** Returns how many of the files belonged to the event. */
export async function removePhotos(db: Db, eventId: string, fileNames: readonly string[]): Promise<number> {
  const removed = await db
    .deleteFrom('eventPhotos')
    .where('eventId', '=', eventId)
    .where('fileName', 'in', fileNames)
    .returning('id')
    .execute();
  return removed.length;
}

/** What shows the photo to everyone: any published event, or an organization whose logo it is. */
export async function publicOwnerOf(db: Db, fileName: string): Promise<string | undefined> {
  const shown = await db
    .selectFrom('eventPhotos as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('p.fileName', '=', fileName)
    .where('e.isPublished', '=', true)
    .select('e.id')
    .limit(1)
    .executeTakeFirst();
  if (shown) return shown.id;
  const organization = await db
    .selectFrom('organizations')
    .where('logoFile', '=', fileName)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return organization?.id;
}

export async function draftsOfPhoto(db: Db, organizationId: string, fileName: string): Promise<string[]> {
  const drafts = await db
    .selectFrom('eventPhotos as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('p.fileName', '=', fileName)
    .where('e.organizationId', '=', organizationId)
    .where('e.isPublished', '=', false)
    .select('e.id')
    .execute();
  return drafts.map(({ id }) => id);
}

/** The file names that have a row. */
export async function findKnownFileNames(db: Db, fileNames: readonly string[]): Promise<Set<string>> {
  if (fileNames.length === 0) return new Set();
  const photos = await db.selectFrom('eventPhotos').where('fileName', 'in', fileNames).select('fileName').execute();
  const logos = await db.selectFrom('organizations').where('logoFile', 'in', fileNames).select('logoFile').execute();
  return new Set([...photos.map(({ fileName }) => fileName), ...logos.map(({ logoFile }) => logoFile ?? '')]);
}

/** One page, in order of file name. */
export async function listOldPhotos(
  db: Db,
  { after, before, atMost }: { after: string; before: Date; atMost: number },
) {
  return db
    .selectFrom('eventPhotos')
    .where('fileName', '>', after)
    .where('createdAt', '<', before)
    .select('fileName')
    .orderBy('fileName')
    .limit(atMost)
    .execute();
}

import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';

/** In the order of the carousel. */
export async function photoRows(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('eventPhotos')
    .where('eventId', 'in', eventIds)
    .select(['eventId', 'fileName', 'position'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Held until the end of the transaction, so that two uploads at once count each other's photos. */
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

/** How many of them were the event's. */
export async function removePhotos(db: Db, eventId: string, fileNames: readonly string[]): Promise<number> {
  const removed = await db
    .deleteFrom('eventPhotos')
    .where('eventId', '=', eventId)
    .where('fileName', 'in', fileNames)
    .returning('id')
    .execute();
  return removed.length;
}

/** Those of the files that are photos of an event. */
export async function namesWithRow(db: Db, fileNames: readonly string[]): Promise<Set<string>> {
  if (fileNames.length === 0) return new Set();
  const rows = await db.selectFrom('eventPhotos').where('fileName', 'in', fileNames).select('fileName').execute();
  return new Set(rows.map(({ fileName }) => fileName));
}

/** Page by page, in the order of the files' names. */
export async function oldPhotoRows(db: Db, { after, before, atMost }: { after: string; before: Date; atMost: number }) {
  return db
    .selectFrom('eventPhotos')
    .where('fileName', '>', after)
    .where('createdAt', '<', before)
    .select('fileName')
    .orderBy('fileName')
    .limit(atMost)
    .execute();
}

import type { Db } from '#server/database.ts';
import { newId } from '#server/new-id.ts';

export async function photoFileNames(db: Db, eventId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('eventPhotos')
    .where('eventId', '=', eventId)
    .select('fileName')
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.fileName);
}

export async function ownsEvent(db: Db, organizerId: string, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizerId', '=', organizerId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
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

import { PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction, isConnectionError } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { photoUrlsOf } from './list-photos.ts';
import { newPhotoFileName } from './photo-files.ts';
import { findPhotos, insertPhotos, lockEvent } from './photos.sql.ts';
import { renderPhoto } from './render-photo.ts';
import { removeFiles } from './unused-files.ts';

const RETRY_SECONDS = 300;

export interface PhotoUpload {
  eventId: string;
  files: readonly UploadedPhoto[];
}

interface UploadedPhoto {
  fileName: string;
  /** A file path, or the bytes. */
  source: string | Buffer;
  isEmpty: boolean;
  isTooLarge: boolean;
}

/** Adds all of the photos, or none if one is rejected. Returns the URLs of the event's photos, in order. */
export async function addPhotos(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'publicUrl' | 'rateLimiter' | 'log'>,
  actor: Actor,
  { eventId, files }: PhotoUpload,
): Promise<string[]> {
  await authorizeEvent(deps, actor, 'event.edit', eventId);

  await consumeLimit(deps.rateLimiter, 'add-photos', actor.userId);

  // A form with no file chosen sends one empty part without a name.
  const chosen = files.filter((file) => file.fileName || !file.isEmpty);
  if (chosen.length === 0) throw new AppError('photo.no-files');
  enforcePhotoLimit((await findPhotos(deps.db, [eventId])).length + chosen.length);

  await storePhotos(deps, actor, eventId, chosen);
  return photoUrlsOf(deps, eventId);
}

async function renderUpload({ fileName, source, isTooLarge }: UploadedPhoto): Promise<Buffer> {
  if (isTooLarge) throw new AppError('photo.too-large', { fileName });
  const photo = await renderPhoto(source);
  if (typeof photo === 'string') throw new AppError(`photo.${photo}`, { fileName });
  return photo;
}

/** Files first, then rows: a row never points to a missing file. */
async function storePhotos(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'log'>,
  actor: Actor,
  eventId: string,
  photos: readonly UploadedPhoto[],
) {
  const fileNames: string[] = [];
  try {
    // Sequentially, so that only one rendered photo is in memory.
    for (const photo of photos) {
      const content = await renderUpload(photo);
      const fileName = newPhotoFileName();
      fileNames.push(fileName);
      await writePhotoFile(deps, { fileName, content });
    }
    await insertRows(deps, actor, eventId, fileNames);
  } catch (error) {
    // If the connection was lost, the rows may be committed. An orphaned file does no harm.
    if (!isConnectionError(error)) await removeFiles(deps, fileNames);
    throw error;
  }
}

export async function writePhotoFile(
  { photos, log }: Pick<Deps, 'photos' | 'log'>,
  { fileName, content }: { fileName: string; content: Buffer },
): Promise<void> {
  try {
    await photos.write(fileName, content);
  } catch (err) {
    log.error({ err }, 'failed to store a photo; the disk may be full or read-only, or the bucket out of reach');
    throw new AppError('photo.not-saved', { retryAfterSeconds: RETRY_SECONDS });
  }
}

async function insertRows(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  eventId: string,
  fileNames: readonly string[],
) {
  await inTransaction(db, async (tx) => {
    await lockEvent(tx, eventId);
    await requireNotSuspended(tx, actor.organizationId);
    const existing = await findPhotos(tx, [eventId]);
    enforcePhotoLimit(existing.length + fileNames.length);
    const firstPosition = (existing.at(-1)?.position ?? -1) + 1;
    await insertPhotos(tx, { eventId, fileNames: [...fileNames], firstPosition, createdAt: clock.now() });
    await recordAuditEvent(tx, { action: 'edit-event', by: actor, subject: eventId, eventId, at: clock.now() });
  });
}

function enforcePhotoLimit(count: number) {
  if (count > PHOTOS_PER_EVENT_MAX) throw new AppError('photo.too-many');
}

/** Tells the organizer which of several files was rejected. */

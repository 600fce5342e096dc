import { eventNotFound } from '#contract/events.ts';
import { photoErrors, photosNotSaved } from '#contract/photos.ts';
import { PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { isOrganizerOf } from '#server/events/is-organizer-of.ts';
import { AppError, conflict, invalid, notFound, unavailable } from '#server/platform/app-error.ts';
import { inTransaction, isOutOfReach } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { listPhotos } from './list-photos.ts';
import { newPhotoFileName } from './photo-files.ts';
import { insertPhotos, lockEvent, photoRows } from './photos.sql.ts';
import { renderPhoto } from './render-photo.ts';

export interface PhotoUpload {
  organizerId: string;
  eventId: string;
  files: readonly SentPhoto[];
}

interface SentPhoto {
  fileName: string;
  /** The file that holds it, or its bytes. */
  picture: string | Buffer;
  isEmpty: boolean;
  isTooLarge: boolean;
}

/** Adds all of the photos or, when one is refused, none. Answers the addresses of the event's photos, in order. */
export async function addPhotos(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'publicUrl' | 'tries' | 'log'>,
  { organizerId, eventId, files }: PhotoUpload,
): Promise<string[]> {
  if (!(await isOrganizerOf(deps, organizerId, eventId))) throw notFound(eventNotFound);

  await consumeLimit(deps.tries, 'add-photos', organizerId);

  // A form without a chosen file sends one without a name and without content.
  const chosen = files.filter((file) => file.fileName || !file.isEmpty);
  if (chosen.length === 0) throw invalid(photoErrors['no-files']);
  refuseTooMany((await photoRows(deps.db, [eventId])).length + chosen.length);

  await store(deps, eventId, chosen);
  return (await listPhotos(deps, [eventId]))(eventId);
}

async function drawn({ fileName, picture, isTooLarge }: SentPhoto): Promise<Buffer> {
  if (isTooLarge) throw new AppError('too-large', about(fileName, photoErrors['too-large']));
  const photo = await renderPhoto(picture);
  if (typeof photo === 'string') throw invalid(about(fileName, photoErrors[photo]));
  return photo;
}

/** Files first, rows after: a row never points to a file that is not there. */
async function store(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'log'>,
  eventId: string,
  photos: readonly SentPhoto[],
) {
  const fileNames: string[] = [];
  try {
    // One after the other, each written before the next is drawn: none waits in memory.
    for (const photo of photos) {
      const content = await drawn(photo);
      const fileName = newPhotoFileName();
      fileNames.push(fileName);
      await write(deps, { fileName, content });
    }
    await record(deps, eventId, fileNames);
  } catch (error) {
    // Whether the rows stand nobody knows then, and a file without a row hurts nobody.
    if (!isOutOfReach(error)) await forget(deps, fileNames);
    throw error;
  }
}

/** Seconds after which somebody may have made room. */
const RETRY_SECONDS = 300;

async function write(
  { photos: files, log }: Pick<Deps, 'photos' | 'log'>,
  { fileName, content }: { fileName: string; content: Buffer },
): Promise<void> {
  try {
    await files.write(fileName, content);
  } catch (err) {
    log.error({ err }, 'a photo could not be stored: is the disk full, or read-only?');
    throw unavailable(photosNotSaved, RETRY_SECONDS);
  }
}

async function record({ db, clock }: Pick<Deps, 'db' | 'clock'>, eventId: string, fileNames: readonly string[]) {
  await inTransaction(db, async (tx) => {
    await lockEvent(tx, eventId);
    const present = await photoRows(tx, [eventId]);
    refuseTooMany(present.length + fileNames.length);
    const firstPosition = (present.at(-1)?.position ?? -1) + 1;
    await insertPhotos(tx, { eventId, fileNames: [...fileNames], firstPosition, createdAt: clock.now() });
  });
}

/** What was refused is told to the organizer; what is left of it lies around, at worst. */
async function forget({ photos: files, log }: Pick<Deps, 'photos' | 'log'>, fileNames: readonly string[]) {
  for (const fileName of fileNames)
    await files.remove(fileName).catch((err: unknown) => log.warn({ err, fileName }, 'a photo without a row is left'));
}

function refuseTooMany(count: number) {
  if (count > PHOTOS_PER_EVENT_MAX) throw conflict(photoErrors['too-many']);
}

/** Which of many files it was. */
function about(fileName: string, sentence: string): string {
  return fileName ? `${sentence} (${fileName.slice(0, 100)})` : sentence;
}

import { eventNotFound } from '#contract/events.ts';
import { photoRefusals } from '#contract/photos.ts';
import { PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { isOrganizerOf } from '#server/events/is-organizer-of.ts';
import { conflict, invalid, notFound, Refusal } from '#server/refusal.ts';
import { listPhotos } from './list-photos.ts';
import { newPhotoFileName } from './photo-file-name.ts';
import { insertPhotos, lockEvent, photoRows } from './photos.sql.ts';
import { reEncodePhoto } from './re-encode-photo.ts';

export interface PhotoUpload {
  organizerId: string;
  eventId: string;
  files: readonly { fileName: string; content: Buffer; isTooLarge: boolean }[];
}

/** Adds all of the photos or, when one is refused, none. Answers the addresses of the event's photos, in order. */
export async function addPhotos(
  deps: Pick<Deps, 'db' | 'photos' | 'clock' | 'publicUrl'>,
  { organizerId, eventId, files }: PhotoUpload,
): Promise<string[]> {
  if (!(await isOrganizerOf(deps, organizerId, eventId))) throw notFound(eventNotFound);

  // A form without a chosen file sends one without a name and without content.
  const chosen = files.filter((file) => file.fileName || file.content.length > 0);
  if (chosen.length === 0) throw invalid(photoRefusals['no-files']);
  refuseTooMany((await photoRows(deps.db, [eventId])).length + chosen.length);

  const photos = await drawn(chosen);
  await store(deps, eventId, photos);
  return (await listPhotos(deps, [eventId]))(eventId);
}

/** One after the other: a picture unfolds to many times its file's size in memory. */
async function drawn(files: PhotoUpload['files']) {
  const photos = [];
  for (const { fileName, content, isTooLarge } of files) {
    if (isTooLarge) throw new Refusal('too-large', about(fileName, photoRefusals['too-large']));
    const photo = await reEncodePhoto(content);
    if (typeof photo === 'string') throw invalid(about(fileName, photoRefusals[photo]));
    photos.push({ fileName: newPhotoFileName(), content: photo });
  }
  return photos;
}

/** Files first, rows after: a row never points to a file that is not there. */
async function store(
  { db, photos: files, clock }: Pick<Deps, 'db' | 'photos' | 'clock'>,
  eventId: string,
  photos: readonly { fileName: string; content: Buffer }[],
) {
  const fileNames = photos.map((photo) => photo.fileName);
  let isRecorded = false;
  try {
    for (const { fileName, content } of photos) await files.write(fileName, content);
    await inTransaction(db, async (tx) => {
      await lockEvent(tx, eventId);
      const present = await photoRows(tx, [eventId]);
      refuseTooMany(present.length + photos.length);
      const firstPosition = (present.at(-1)?.position ?? -1) + 1;
      await insertPhotos(tx, { eventId, fileNames, firstPosition, createdAt: clock.now() });
    });
    isRecorded = true;
  } finally {
    if (!isRecorded) for (const fileName of fileNames) await files.remove(fileName);
  }
}

function refuseTooMany(count: number) {
  if (count > PHOTOS_PER_EVENT_MAX) throw conflict(photoRefusals['too-many']);
}

/** Which of many files it was. */
function about(fileName: string, sentence: string): string {
  return fileName ? `${sentence} (${fileName.slice(0, 100)})` : sentence;
}

import sharp from 'sharp';
import { posterSvg } from '#domain/poster.ts';
import type { Deps } from '#server/platform/deps.ts';
import { photoUrl } from './photo-files.ts';
import { photoRows } from './photos.sql.ts';

/** The photos' addresses by event, each list in the order of the carousel. */
export async function listPhotos(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventIds: readonly string[],
): Promise<(eventId: string) => string[]> {
  const rows = await photoRows(deps.db, eventIds);
  return (eventId) => rows.filter((row) => row.eventId === eventId).map((row) => photoUrl(deps, row.fileName));
}

/** The poster that an id stands for, as a file that can be uploaded. */
export async function posterPhoto(id: string): Promise<Buffer> {
  return sharp(Buffer.from(posterSvg(id)))
    .resize(1600, 1000)
    .png()
    .toBuffer();
}

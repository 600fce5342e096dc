import sharp from 'sharp';
import { posterSvg } from '#domain/poster.ts';
import type { Deps } from '#server/platform/deps.ts';
import { photoUrl } from './photo-files.ts';
import { findPhotos } from './photos.sql.ts';

/** Photo URLs by event, in carousel order. */
export async function listPhotos(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventIds: readonly string[],
): Promise<(eventId: string) => string[]> {
  const rows = await findPhotos(deps.db, eventIds);
  return (eventId) => rows.filter((row) => row.eventId === eventId).map((row) => photoUrl(deps, row.fileName));
}

/** The generated poster for an ID, as an image file. */
export async function posterPhoto(id: string): Promise<Buffer> {
  return sharp(Buffer.from(posterSvg(id)))
    .resize(1600, 1000)
    .png()
    .toBuffer();
}

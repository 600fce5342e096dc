import sharp from 'sharp';
import { posterSvg } from '#domain/poster.ts';
import { coverOf, type EventPhoto, type Focus } from '#domain/sales/photos.ts';
import type { Deps } from '#server/platform/deps.ts';
import { photoUrl } from './photo-files.ts';
import { findPhotos } from './photos.sql.ts';

/** Photos by event, in carousel order. */
export async function listPhotos(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventIds: readonly string[],
): Promise<(eventId: string) => EventPhoto[]> {
  const rows = await findPhotos(deps.db, eventIds);
  return (eventId) =>
    rows
      .filter((row) => row.eventId === eventId)
      .map(({ fileName, altText, focusX, focusY, isCover }) => ({
        url: photoUrl(deps, fileName),
        altText,
        focus: focusX === null || focusY === null ? null : { x: focusX, y: focusY },
        isCover,
      }));
}

export async function photoUrlsOf(deps: Pick<Deps, 'db' | 'publicUrl'>, eventId: string): Promise<string[]> {
  return (await listPhotos(deps, [eventId]))(eventId).map(({ url }) => url);
}

/** The same as replies have it. */
export function coverReply(photos: readonly EventPhoto[]): { photo: string | null; photoFocus?: Focus } {
  const cover = coverOf(photos);
  return { photo: cover?.url ?? null, ...(cover?.focus && { photoFocus: cover.focus }) };
}

/** The generated poster for an ID, as an image file. */
export async function posterPhoto(id: string): Promise<Buffer> {
  return sharp(Buffer.from(posterSvg(id)))
    .resize(1600, 1000)
    .png()
    .toBuffer();
}

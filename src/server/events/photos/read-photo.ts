import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { LOGO_EDGE_MAX } from '#domain/limits.ts';
import { coverOf } from '#domain/sales/photos.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cropPhoto } from './crop-photo.ts';
import { listPhotos, posterPhoto } from './list-photos.ts';
import { fileNameOf, isPhotoFileName } from './photo-files.ts';
import { createWorkQueue } from './work-queue.ts';

/** The only smaller size: enough for a phone, at a third of the bytes. */
export const SMALL_WIDTH = 800;
const SMALL_QUALITY = 76;
/** Letters and flat colors, which lose more than photos do. */
const LOGO_QUALITY = 90;

const smallPhotos = new LRUCache<string, Promise<Buffer>>({ max: 100 });
const enqueue = createWorkQueue({ concurrency: 1 });

/** Returns the stored photo or a smaller rendering; `null` if it does not exist. */
export async function readPhoto(
  deps: Pick<Deps, 'photos'>,
  fileName: string,
  { isSmall }: { isSmall: boolean },
): Promise<Buffer | null> {
  if (!isPhotoFileName(fileName)) return null;
  // Read even if the small one is cached: a deleted photo must disappear in every size.
  const photo = await deps.photos.read(fileName);
  if (!photo) smallPhotos.delete(fileName);
  return photo && isSmall ? (smallPhotos.get(fileName) ?? renderSmall(fileName, photo)) : photo;
}

function renderSmall(fileName: string, photo: Buffer): Promise<Buffer> {
  const rendered = enqueue(() =>
    sharp(photo).resize({ width: SMALL_WIDTH, withoutEnlargement: true }).webp({ quality: SMALL_QUALITY }).toBuffer(),
  );
  // A failure is not cached.
  rendered.catch(() => smallPhotos.delete(fileName));
  smallPhotos.set(fileName, rendered);
  return rendered;
}

/** @param photo as our own encoder wrote it */
export const renderLogo = (photo: Buffer): Promise<Buffer> =>
  sharp(photo)
    .resize(LOGO_EDGE_MAX, LOGO_EDGE_MAX, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: LOGO_QUALITY })
    .toBuffer();

/** The photo at a URL of ours; `null` if there is none. */
export async function readPhotoAt(
  deps: Pick<Deps, 'photos' | 'publicUrl'>,
  url: string | undefined,
): Promise<Buffer | null> {
  const fileName = url === undefined ? null : fileNameOf(deps, url);
  return fileName === null ? null : deps.photos.read(fileName);
}

/** With the poster while photos can't be read: tickets matter more than their picture. */
export async function readCoverOrPoster(
  deps: Pick<Deps, 'db' | 'photos' | 'publicUrl'>,
  eventId: string,
  size: CoverSize,
): Promise<Buffer> {
  const withoutPhotos = { ...deps, photos: { ...deps.photos, read: async () => null } };
  return readCover(deps, eventId, size).catch(() => readCover(withoutPhotos, eventId, size));
}

interface CoverSize {
  width: number;
  height: number;
  format: 'jpeg' | 'png';
}

/** Rendered once for the phones that ask for their passes when an event changes. */
const covers = new LRUCache<string, Promise<Buffer>>({ max: 50 });

/** The event's cover, or its poster, cropped to this size. */
export async function readCover(
  deps: Pick<Deps, 'db' | 'photos' | 'publicUrl'>,
  eventId: string,
  { width, height, format }: CoverSize,
): Promise<Buffer> {
  const first = coverOf((await listPhotos(deps, [eventId]))(eventId));
  const photo = await readPhotoAt(deps, first?.url);
  const focus = (photo && first?.focus) ?? null;
  const key = JSON.stringify([photo ? first?.url : eventId, focus, width, height, format]);
  const known = covers.get(key);
  if (known) return known;
  const cover = enqueue(async () => {
    const crop = await cropPhoto(photo ?? (await posterPhoto(eventId)), { width, height, focus });
    return crop.toFormat(format).toBuffer();
  });
  // A failure is not cached.
  cover.catch(() => covers.delete(key));
  covers.set(key, cover);
  return cover;
}

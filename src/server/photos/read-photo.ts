import sharp from 'sharp';
import type { Deps } from '#server/deps.ts';
import { isPhotoFileName } from './photo-file-name.ts';

/** The one smaller size there is: enough for a phone, a third of the bytes. */
export const SMALL_WIDTH = 800;
const SMALL_KEPT = 100;

const kept = new Map<string, Promise<Buffer>>();

/** A photo as it is kept, or drawn smaller; null where there is none. */
export async function readPhoto(
  { photos }: Pick<Deps, 'photos'>,
  fileName: string,
  { isSmall }: { isSmall: boolean },
): Promise<Buffer | null> {
  if (!isPhotoFileName(fileName)) return null;
  // Read also where the small one is kept: a photo that was deleted is gone in every size.
  const photo = await photos.read(fileName);
  if (!photo) kept.delete(fileName);
  return photo && isSmall ? (kept.get(fileName) ?? small(fileName, photo)) : photo;
}

function small(fileName: string, photo: Buffer): Promise<Buffer> {
  const oldest = kept.keys().next();
  if (kept.size >= SMALL_KEPT && !oldest.done) kept.delete(oldest.value);
  const made = sharp(photo).resize({ width: SMALL_WIDTH, withoutEnlargement: true }).webp({ quality: 76 }).toBuffer();
  // What failed once may work the next time.
  made.catch(() => kept.delete(fileName));
  kept.set(fileName, made);
  return made;
}

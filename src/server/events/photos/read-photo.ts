import sharp from 'sharp';
import type { Deps } from '#server/platform/deps.ts';
import { isPhotoFileName } from './photo-files.ts';
import { openSerialQueue } from './serial-queue.ts';

/** The one smaller size there is: enough for a phone, a third of the bytes. */
export const SMALL_WIDTH = 800;
const SMALL_CACHED = 100;
const SMALL_QUALITY = 76;

const kept = new Map<string, Promise<Buffer>>();
const inLine = openSerialQueue({ atOnce: 1 });

/** A photo as it is kept, or drawn smaller; null where there is none. */
export async function readPhoto(
  deps: Pick<Deps, 'photos'>,
  fileName: string,
  { isSmall }: { isSmall: boolean },
): Promise<Buffer | null> {
  if (!isPhotoFileName(fileName)) return null;
  // Read also where the small one is kept: a photo that was deleted is gone in every size.
  const photo = await readShared(deps, fileName);
  if (!photo) kept.delete(fileName);
  return photo && isSmall ? (kept.get(fileName) ?? small(fileName, photo)) : photo;
}

function small(fileName: string, photo: Buffer): Promise<Buffer> {
  const oldest = kept.keys().next();
  if (kept.size >= SMALL_CACHED && !oldest.done) kept.delete(oldest.value);
  const made = inLine(() =>
    sharp(photo).resize({ width: SMALL_WIDTH, withoutEnlargement: true }).webp({ quality: SMALL_QUALITY }).toBuffer(),
  );
  // What failed once may work the next time.
  made.catch(() => kept.delete(fileName));
  kept.set(fileName, made);
  return made;
}

/** Bytes that somebody is still being sent: a thousand who read slowly share them. They go when the last of these does. */
const shared = new Map<string, WeakRef<Buffer>>();
const gone = new FinalizationRegistry<string>((fileName) => {
  if (shared.get(fileName)?.deref() === undefined) shared.delete(fileName);
});

async function readShared({ photos }: Pick<Deps, 'photos'>, fileName: string): Promise<Buffer | null> {
  const known = shared.get(fileName)?.deref();
  if (known) return (await photos.has(fileName)) ? known : null;
  const photo = await photos.read(fileName);
  if (photo) {
    shared.set(fileName, new WeakRef(photo));
    gone.register(photo, fileName);
  }
  return photo;
}

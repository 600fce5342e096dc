/** Copies the photos of one store to another. Repeating it is safe, also while servers use either store. */
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';

export interface CopiedPhotos {
  copied: number;
  /** Were there already, with the same bytes. */
  known: number;
  /** Were deleted meanwhile. */
  gone: number;
}

export async function copyPhotos(
  { from, to }: { from: PhotoStore; to: PhotoStore },
  onPhoto: (sum: CopiedPhotos) => void = () => {},
): Promise<CopiedPhotos> {
  const sum: CopiedPhotos = { copied: 0, known: 0, gone: 0 };
  for await (const { fileName } of from.list()) {
    sum[await copyPhoto({ from, to }, fileName)]++;
    onPhoto(sum);
  }
  return sum;
}

async function copyPhoto(
  { from, to }: { from: PhotoStore; to: PhotoStore },
  fileName: string,
): Promise<keyof CopiedPhotos> {
  const photo = await from.read(fileName);
  if (photo === null) return 'gone';
  const there = await to.read(fileName);
  if (there?.equals(photo)) return 'known';
  // Only a copy that broke off has other bytes.
  await to.write(fileName, photo);
  if (!(await to.read(fileName))?.equals(photo)) throw new Error(`${fileName} is not what was written`);
  return 'copied';
}

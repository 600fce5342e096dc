import type { Deps } from '#server/platform/deps.ts';
import { findKnownFileNames } from './photos.sql.ts';

/** Removes the files that no row names any more: copies of an event show its photos. Rows first, so that none points to a missing file. */
export async function removeUnusedFiles(
  { db, photos }: Pick<Deps, 'db' | 'photos'>,
  fileNames: readonly string[],
): Promise<void> {
  const used = await findKnownFileNames(db, fileNames);
  for (const fileName of fileNames) if (!used.has(fileName)) await photos.remove(fileName);
}

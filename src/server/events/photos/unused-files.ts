import type { Deps } from '#server/platform/deps.ts';
import { FilesUnreachable } from '#server/platform/ports/files-unreachable.ts';
import { findKnownFileNames } from './photos.sql.ts';

/** Removes the files that no row names any more: copies of an event show its photos. Rows first, so that none points to a missing file. */
export async function removeUnusedFiles(
  { db, photos, log }: Pick<Deps, 'db' | 'photos' | 'log'>,
  fileNames: readonly string[],
): Promise<void> {
  const used = await findKnownFileNames(db, fileNames);
  await removeFiles(
    { photos, log },
    fileNames.filter((fileName) => !used.has(fileName)),
  );
}

/** Best effort, after the rows are gone: a photo without a row is invisible, and leftover files are swept later. */
export async function removeFiles(
  { photos, log }: Pick<Deps, 'photos' | 'log'>,
  fileNames: readonly string[],
): Promise<void> {
  for (const fileName of fileNames)
    try {
      await photos.remove(fileName);
    } catch (err) {
      log.warn({ err }, 'failed to remove the file of a photo');
      // Each further one might wait as long.
      if (err instanceof FilesUnreachable) return;
    }
}

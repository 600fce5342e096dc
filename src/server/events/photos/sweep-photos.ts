import type { Deps } from '#server/platform/deps.ts';
import { isPhotoFileName } from './photo-files.ts';
import { findKnownFileNames, listOldPhotos } from './photos.sql.ts';

/** Longer than any upload takes from its first file to its rows, so that a running upload is never swept. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 500;

/**
 * Removes files without a row, left by an interrupted upload or deletion. A row without a file is only logged: if the
 * disk is not mounted, every row looks like that.
 */
export async function sweepPhotos(deps: Pick<Deps, 'db' | 'photos' | 'log'>): Promise<void> {
  // File times come from the system clock, not the business clock.
  const before = new Date(Date.now() - MIN_AGE_MS);
  const stored = new Set<string>();
  let names: string[] = [];
  for await (const { fileName, writtenAt } of deps.photos.list()) {
    stored.add(fileName);
    if (writtenAt >= before || !isPhotoFileName(fileName)) continue;
    names.push(fileName);
    if (names.length < BATCH_SIZE) continue;
    await removeOrphans(deps, names);
    names = [];
  }
  await removeOrphans(deps, names);
  await reportMissing(deps, { before, stored });
}

async function removeOrphans({ db, photos, log }: Pick<Deps, 'db' | 'photos' | 'log'>, names: readonly string[]) {
  const known = await findKnownFileNames(db, names);
  const unknown = names.filter((name) => !known.has(name));
  for (const fileName of unknown) await photos.remove(fileName);
  if (unknown.length > 0) log.warn({ count: unknown.length }, 'removed photos without a row');
}

async function reportMissing(
  { db, photos, log }: Pick<Deps, 'db' | 'photos' | 'log'>,
  { before, stored }: { before: Date; stored: ReadonlySet<string> },
) {
  const missing: string[] = [];
  let after = '';
  for (;;) {
    const rows = await listOldPhotos(db, { after, before, atMost: BATCH_SIZE });
    for (const { fileName } of rows) if (!stored.has(fileName) && !(await photos.has(fileName))) missing.push(fileName);
    after = rows.at(-1)?.fileName ?? '';
    if (rows.length < BATCH_SIZE) break;
  }
  if (missing.length > 0)
    log.error(
      { count: missing.length, fileNames: missing.slice(0, 10) },
      'photos without a file; the disk may not be mounted',
    );
}

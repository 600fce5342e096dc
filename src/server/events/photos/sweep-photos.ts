import type { Deps } from '#server/platform/deps.ts';
import { isPhotoFileName } from './photo-files.ts';
import { namesWithRow, oldPhotoRows } from './photos.sql.ts';

/** Longer than any upload takes from its first file to its rows. */
const OLD_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 500;

/**
 * Removes files that no row knows: an upload or a deletion was cut off between the two. A row without its file is only reported:
 * when a disk is not mounted every row is one.
 */
export async function sweepPhotos(deps: Pick<Deps, 'db' | 'photos' | 'log'>): Promise<void> {
  // Files are dated by the system, whatever the business clock says.
  const before = new Date(Date.now() - OLD_MS);
  let names: string[] = [];
  for await (const { fileName, writtenAt } of deps.photos.list()) {
    if (writtenAt >= before || !isPhotoFileName(fileName)) continue;
    names.push(fileName);
    if (names.length < AT_ONCE) continue;
    await removeUnknown(deps, names);
    names = [];
  }
  await removeUnknown(deps, names);
  await reportMissing(deps, before);
}

async function removeUnknown({ db, photos, log }: Pick<Deps, 'db' | 'photos' | 'log'>, names: readonly string[]) {
  const known = await namesWithRow(db, names);
  const unknown = names.filter((name) => !known.has(name));
  for (const fileName of unknown) await photos.remove(fileName);
  if (unknown.length > 0) log.warn({ count: unknown.length }, 'photos without a row were removed');
}

async function reportMissing({ db, photos, log }: Pick<Deps, 'db' | 'photos' | 'log'>, before: Date) {
  const missing: string[] = [];
  let after = '';
  for (;;) {
    const rows = await oldPhotoRows(db, { after, before, atMost: AT_ONCE });
    for (const { fileName } of rows) if (!(await photos.has(fileName))) missing.push(fileName);
    after = rows.at(-1)?.fileName ?? '';
    if (rows.length < AT_ONCE) break;
  }
  if (missing.length > 0)
    log.error({ count: missing.length, fileNames: missing.slice(0, 10) }, 'photos have no file: is their disk there?');
}

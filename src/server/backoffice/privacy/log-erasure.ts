import { removeFiles } from '#server/events/photos/unused-files.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Erasure } from '#server/platform/ports/erasure-log.ts';

/**
 * After the commit, for a deletion that can't fail any more: the database has the erasure, too, and within an hour the log gets what it
 * lacks.
 */
export async function logErasure(
  { erasures, log, photos }: Pick<Deps, 'erasures' | 'log' | 'photos'>,
  erasure: Erasure,
  fileNames: readonly string[] = [],
): Promise<void> {
  await erasures.append([erasure]).catch((err: unknown) => log.error({ err }, 'failed to log an erasure'));
  await removeFiles({ photos, log }, fileNames);
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { StartFailure } from './start-failure.ts';

const MAJOR_VERSION = '18';

/** Throws unless the directory is a complete database of the PostgreSQL version that this product runs. */
export function assertUsable(databaseDir: string) {
  const versionFile = path.join(databaseDir, 'PG_VERSION');
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim() : undefined;
  if (version === undefined || !existsSync(path.join(databaseDir, 'global', 'pg_control'))) {
    throw new StartFailure(
      `${databaseDir} is not a complete PostgreSQL database. If nothing in it matters, remove it and start again; ` +
        'else move it away, or set DATA_DIR to another directory.',
      78,
    );
  }
  if (version !== MAJOR_VERSION) {
    throw new StartFailure(
      `${databaseDir} was made by PostgreSQL ${version}; this version of Handstamp runs PostgreSQL ${MAJOR_VERSION}. ` +
        `Dump it with PostgreSQL ${version} and restore it, or set DATA_DIR to another directory.`,
      78,
    );
  }
}

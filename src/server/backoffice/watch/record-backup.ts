import type { Deps } from '#server/platform/deps.ts';
import { type BackupCheck, insertBackup, insertBackupCheck } from './watch.sql.ts';

/** Called by the operator's script after each backup, so that `/metrics` knows its age. */
export const recordBackup = ({ db }: Pick<Deps, 'db'>): Promise<void> => insertBackup(db);

/** Called by `npm run backup:verify`. */
export const recordBackupCheck = ({ db }: Pick<Deps, 'db'>, check: BackupCheck): Promise<void> =>
  insertBackupCheck(db, check);

/** For separate programs: connects to the running database, or starts it until the program stops it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findDataDirectory } from './data-directory.ts';
import { findPostmaster } from './postmaster.ts';
import { connectionStringOf, type EmbeddedPostgres, runEmbeddedPostgres } from './run-postgres.ts';
import { StartFailure } from './start-failure.ts';

/** @throws {StartFailure} with a message for the operator */
export async function joinEmbeddedPostgres({ dataDir }: { dataDir: string }): Promise<EmbeddedPostgres> {
  if (!existsSync(path.join(dataDir, 'postgres')))
    throw new StartFailure(`There is no database in ${dataDir} yet: run npm start once, or set DATA_DIR.`, 78);

  const { databaseDir } = await findDataDirectory(dataDir);
  const running = await findPostmaster(databaseDir);
  if (running) return { connectionString: connectionStringOf(running.socketDirectory), stop: async () => {} };
  return runEmbeddedPostgres({ dataDir });
}

/** For a program beside the product: uses the database that runs, or else starts it for as long as the program needs it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findDataDirectory } from './data-directory.ts';
import { findPostmaster } from './postmaster.ts';
import { addressOf, type EmbeddedPostgres, runEmbeddedPostgres } from './run-postgres.ts';
import { StartFailure } from './start-failure.ts';

/** @throws {StartFailure} with a sentence for the person who started it */
export async function joinEmbeddedPostgres({ dataDir }: { dataDir: string }): Promise<EmbeddedPostgres> {
  if (!existsSync(path.join(dataDir, 'postgres')))
    throw new StartFailure(`There is no database in ${dataDir} yet: run npm start once, or set DATA_DIR.`, 78);

  const { databaseDir } = await findDataDirectory(dataDir);
  const running = await findPostmaster(databaseDir);
  if (running) return { connectionString: addressOf(running.socketDirectory), stop: async () => {} };
  return runEmbeddedPostgres({ dataDir });
}

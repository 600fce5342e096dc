/**
 * PostgreSQL from the npm package, run for this product alone: nothing to install, nothing listening on the network.
 *
 * PostgreSQL outlives a server that is killed. The next start finds it, makes sure that no living Handstamp uses it, and
 * starts it anew.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type DataDirectory, findDataDirectory, makeSocketDirectory } from './data-directory.ts';
import { claimSoleUse, createDatabaseOnce, type SoleUse } from './exclusive-use.sql.ts';
import { DATABASE_USER, initialiseOnce } from './initialize.ts';
import { findPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { findPrograms, type Programs, programsFor } from './programs.ts';
import { StartFailure } from './start-failure.ts';

export interface EmbeddedPostgres {
  connectionString: string;
  stop(): Promise<void>;
}

const DATABASE = 'handstamp';

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What fails is told to the product, which logs it. PostgreSQL's own line would hold the statement and the row.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};
const FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '128MB',
};

/**
 * Runs the database of `dataDir` and resolves when it answers.
 *
 * @param options.maxConnections 100 unless several processes need more
 * @param options.durable false lets a power cut lose data: for tests only
 * @throws {StartFailure} with a sentence for the person who started it
 */
export async function runEmbeddedPostgres({
  dataDir,
  maxConnections = 100,
  durable = true,
}: {
  dataDir: string;
  maxConnections?: number;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const packaged = await findPrograms();
  const place = await findDataDirectory(dataDir);
  const programs = await programsFor(place.account, packaged);
  await initialiseOnce(place, programs);

  const { socketDirectory, soleUse } = await startAlone(place, programs, {
    ...SETTINGS,
    ...(!durable && FORGETFUL),
    max_connections: String(maxConnections),
  });
  await createDatabaseOnce(socketDirectory, DATABASE);
  return {
    connectionString: addressOf(socketDirectory),
    async stop() {
      await soleUse.release();
      await stopPostmaster(place, programs);
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}

export function addressOf(socketDirectory: string): string {
  return `postgresql://${DATABASE_USER}@localhost/${DATABASE}?host=${encodeURIComponent(socketDirectory)}`;
}

async function startAlone(place: DataDirectory, programs: Programs, settings: Record<string, string>) {
  // Two starts may meet here; whoever comes second finds the first one's PostgreSQL on the next turn.
  for (let tries = 0; tries < 3; tries++) {
    await stopOrphan(place, programs);
    const socketDirectory = await makeSocketDirectory(place.account);
    const outcome = await startPostmaster(place, programs, {
      ...settings,
      unix_socket_directories: socketDirectory,
    });
    if (outcome.started) return { socketDirectory, soleUse: await claimOrRefuse(place, socketDirectory) };

    rmSync(socketDirectory, { recursive: true, force: true });
    if (!outcome.alreadyRunning) {
      throw new StartFailure(
        `PostgreSQL did not start on ${place.databaseDir}. It said:\n${outcome.said}\n` +
          'If its files are damaged, restore a backup of that directory, or move it away to start with an empty database.',
      );
    }
  }
  throw new StartFailure(
    `Something else keeps starting PostgreSQL on ${place.databaseDir}. Stop it, then start again.`,
  );
}

async function stopOrphan(place: DataDirectory, programs: Programs) {
  const running = await findPostmaster(place.databaseDir);
  if (!running) return;
  const soleUse = await claimOrRefuse(place, running.socketDirectory);
  await soleUse.release();
  await stopPostmaster(place, programs);
  if (path.basename(running.socketDirectory).startsWith('handstamp-')) {
    rmSync(running.socketDirectory, { recursive: true, force: true });
  }
}

async function claimOrRefuse(place: DataDirectory, socketDirectory: string): Promise<SoleUse> {
  const claim = await claimSoleUse(socketDirectory);
  if ('release' in claim) return claim;
  throw new StartFailure(
    `Another Handstamp (pid ${claim.heldBy}) is using the database in ${place.databaseDir}. ` +
      'Stop it, or set DATA_DIR to another directory.',
    78,
  );
}

/**
 * Runs PostgreSQL from an npm package: nothing to install, and no network port.
 *
 * PostgreSQL survives a killed server. The next start finds it, checks that no other Handstamp uses it, and restarts it.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type DataDirectory, findDataDirectory, makeSocketDirectory } from './data-directory.ts';
import { claimExclusiveUse, createDatabaseOnce, type ExclusiveUse } from './exclusive-use.sql.ts';
import { DATABASE_USER, initializeOnce } from './initialize.ts';
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
  // The product logs errors itself; PostgreSQL's log lines would contain statements and row values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};
const NON_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '128MB',
};

/**
 * Runs the database of `dataDir` and resolves when it accepts connections.
 *
 * @param options.maxConnections raised when several processes serve
 * @param options.durable false risks data loss after a power cut; for tests only
 * @throws {StartFailure} with a message for the operator
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
  const data = await findDataDirectory(dataDir);
  const programs = await programsFor(data.account, packaged);
  await initializeOnce(data, programs);

  const { socketDirectory, exclusiveUse } = await startExclusively(data, programs, {
    ...SETTINGS,
    ...(!durable && NON_DURABLE),
    max_connections: String(maxConnections),
  });
  await createDatabaseOnce(socketDirectory, DATABASE);
  return {
    connectionString: connectionStringOf(socketDirectory),
    async stop() {
      await exclusiveUse.release();
      await stopPostmaster(data, programs);
      rmSync(socketDirectory, { recursive: true, force: true });
    },
  };
}

export function connectionStringOf(socketDirectory: string): string {
  return `postgresql://${DATABASE_USER}@localhost/${DATABASE}?host=${encodeURIComponent(socketDirectory)}`;
}

async function startExclusively(data: DataDirectory, programs: Programs, settings: Record<string, string>) {
  // With two concurrent starts, the second finds the first one's PostgreSQL in the next iteration.
  for (let attempt = 0; attempt < 3; attempt++) {
    await stopOrphan(data, programs);
    const socketDirectory = await makeSocketDirectory(data.account);
    const result = await startPostmaster(data, programs, {
      ...settings,
      unix_socket_directories: socketDirectory,
    });
    if (result.started) return { socketDirectory, exclusiveUse: await claimOrThrow(data, socketDirectory) };

    rmSync(socketDirectory, { recursive: true, force: true });
    if (!result.alreadyRunning) {
      throw new StartFailure(
        `PostgreSQL did not start on ${data.databaseDir}. It said:\n${result.output}\n` +
          'If its files are damaged, restore a backup of that directory, or move it away to start with an empty database.',
      );
    }
  }
  throw new StartFailure(`Something else keeps starting PostgreSQL on ${data.databaseDir}. Stop it, then start again.`);
}

async function stopOrphan(data: DataDirectory, programs: Programs) {
  const running = await findPostmaster(data.databaseDir);
  if (!running) return;
  const exclusiveUse = await claimOrThrow(data, running.socketDirectory);
  // Held until it has stopped, or a concurrent start could claim the PostgreSQL that is about to stop.
  await stopPostmaster(data, programs);
  await exclusiveUse.release();
  if (path.basename(running.socketDirectory).startsWith('handstamp-')) {
    rmSync(running.socketDirectory, { recursive: true, force: true });
  }
}

async function claimOrThrow(data: DataDirectory, socketDirectory: string): Promise<ExclusiveUse> {
  const claim = await claimExclusiveUse(socketDirectory);
  if ('release' in claim) return claim;
  throw new StartFailure(
    `Another Handstamp (pid ${claim.heldBy}) is using the database in ${data.databaseDir}. ` +
      'Stop it, or set DATA_DIR to another directory.',
    78,
  );
}

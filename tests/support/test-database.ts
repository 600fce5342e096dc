/**
 * A real PostgreSQL for the tests: one server per run, and a separate migrated database per caller.
 *
 * `vitest.config.ts` names this file as its global setup; the workers get the address through the environment.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate as migrateSandbox } from '#sandbox/database.ts';
import { runEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/run-postgres.ts';
import { grantApplicationRole } from '#server/platform/application-role.sql.ts';
import { migrate } from '#server/platform/migrate.ts';
import { cleanUpOnExit } from './clean-up-on-exit.ts';

const ADDRESS = 'HANDSTAMP_TEST_POSTGRES';
/** The run's own directory, which is removed however the run ends. */
const FOLDER = 'HANDSTAMP_TEST_FOLDER';
const TEMPLATE = 'migrated_template';
/** An in-memory file system, where copying and dropping a database takes a third of the time. */
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;

/** Each journey worker may run two installations of several servers. */
const CONNECTIONS_MAX = 300;

export interface TestDatabase {
  connectionString: string;
  drop(): Promise<void>;
}

let endRun = async () => {};

export async function setup(): Promise<void> {
  await startPostgres({ durable: false });
}

/** For runs without vitest; `teardown` stops it. */
export async function startPostgres({ durable }: { durable: boolean }): Promise<void> {
  const dataDir = makeDataDirectory(durable ? tmpdir() : fastestFolder());
  const cleanUp = cleanUpOnExit(dataDir);
  const postgres = await runEmbeddedPostgres({ dataDir, durable, maxConnections: CONNECTIONS_MAX });
  endRun = async () => {
    await postgres.stop();
    await cleanUp();
  };
  process.env[FOLDER] = dataDir;
  // Node's compile cache halves the start time of a server.
  process.env['NODE_COMPILE_CACHE'] = path.join(dataDir, 'compiled');
  process.env[ADDRESS] = postgres.connectionString;
  await withConnection(postgres.connectionString, (client) => client.query(`create database ${TEMPLATE}`));
  await migrateTemplate(addressOf(TEMPLATE));
}

export async function teardown(): Promise<void> {
  await endRun();
}

/**
 * A database with every migration applied, the sandbox's included, and nothing else. The connection string is its
 * owner's.
 */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withConnection(addressOf('postgres'), (client) => client.query(`create database ${name} template ${template}`));
  return {
    connectionString: addressOf(name),
    async drop() {
      await withConnection(addressOf('postgres'), (client) =>
        client.query(`drop database if exists ${name} with (force)`),
      );
    },
  };
}

/** A temporary DATA_DIR. Readable by other accounts, because as root PostgreSQL runs under one of them. */
export function makeDataDirectory(parent = process.env[FOLDER] ?? tmpdir()): string {
  const directory = mkdtempSync(path.join(parent, 'handstamp-test-'));
  chmodSync(directory, 0o755);
  return directory;
}

function fastestFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir();
}

function addressOf(database: string): string {
  const address = process.env[ADDRESS];
  if (!address) throw new Error('The tests have no PostgreSQL: run them with vitest, whose global setup starts one.');
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}

// A template with connections cannot be copied, so its pool ends here.
async function migrateTemplate(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 2 });
  const ignore = () => {};
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  try {
    await migrate(pool);
    await migrateSandbox(pool);
    await grantApplicationRole(pool);
  } finally {
    await pool.end();
  }
}

/** Connects to the maintenance database, for set-up shared by all test files. */
export const withMaintenance = <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> =>
  withConnection(addressOf('postgres'), work);

export async function withConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Gets the database ready for serving: started where it is our own, migrated, and entered by the role that serves. */
import type { Logger } from 'pino';
import { runEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/run-postgres.ts';
import { grantApplicationRole } from '#server/platform/application-role.sql.ts';
import type { Config } from '#server/platform/config.ts';
import { openPool, type Pool } from '#server/platform/database.ts';
import { migrate } from '#server/platform/migrate.ts';
import type { Shutdown } from './shutdown.ts';

/** Where the database is, and as whom to work in it. */
export interface DatabaseAddress {
  connectionString: string;
  role: string | null;
}

const NO_ROLE =
  'the database user can neither make nor become the role handstamp_app, so only triggers keep the ledger from being changed: see docs/running.md';
/** A process' pools, what it listens with, and some for people who look in. */
const CONNECTIONS_A_PROCESS = 17;
const CONNECTIONS_BESIDE = 30;

export async function prepareDatabase(config: Config, log: Logger, shutdown: Shutdown): Promise<DatabaseAddress> {
  const connectionString = config.databaseUrl ?? (await runOwnDatabase(config, shutdown));
  const role = await bringUpToDate(openPool(connectionString, reportTo(log)), config);
  if (!role) log.warn(NO_ROLE);
  return { connectionString, role };
}

export function connect(
  { connectionString, role }: DatabaseAddress,
  { log, shutdown, most }: { log: Logger; shutdown: Shutdown; most?: number },
): Pool {
  const pool = openPool(connectionString, reportTo(log), role, most);
  shutdown.add('connections', () => pool.end());
  return pool;
}

async function runOwnDatabase({ dataDir, workers }: Config, shutdown: Shutdown): Promise<string> {
  const maxConnections = Math.max(100, CONNECTIONS_BESIDE + CONNECTIONS_A_PROCESS * (workers + 1));
  const starting = runEmbeddedPostgres({ dataDir, maxConnections });
  // Known before it answers: Ctrl-C during a first start must wait for PostgreSQL and stop it.
  shutdown.add('database', async () => (await starting.catch(() => null))?.stop());
  return (await starting).connectionString;
}

/** Changes the schema as its owner. Everything after works as the role that this answers, and cannot. */
async function bringUpToDate(owner: Pool, config: Config): Promise<string | null> {
  try {
    await migrate(owner);
    if (!config.stripe) await (await import('#sandbox/database.ts')).migrate(owner);
    return await grantApplicationRole(owner);
  } finally {
    await owner.end();
  }
}

const reportTo =
  (log: Logger) =>
  ({ message }: Error) =>
    log.error({ reason: message }, 'a database connection broke');

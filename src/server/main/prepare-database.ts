/** Prepares the database: starts the embedded one if needed, migrates it, and grants the application role. */
import type { Logger } from 'pino';
import { runEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/run-postgres.ts';
import { grantApplicationRole } from '#server/platform/application-role.sql.ts';
import type { Config } from '#server/platform/config.ts';
import { openOwnerPool, openPool, type Pool } from '#server/platform/database.ts';
import { migrate } from '#server/platform/migrate.ts';
import type { Shutdown } from './shutdown.ts';

/** How to connect to the database. */
export interface DatabaseAddress {
  connectionString: string;
  role: string | null;
}

const NO_ROLE =
  'the database user can neither create nor assume the role handstamp_app, so only triggers protect the ledger: see docs/running.md';
/** Per process: its pools, that of the metrics, and its LISTEN connection. In addition: for operators and tools. */
const CONNECTIONS_PER_PROCESS = 18;
const EXTRA_CONNECTIONS = 30;

export async function prepareDatabase(config: Config, log: Logger, shutdown: Shutdown): Promise<DatabaseAddress> {
  const connectionString = config.databaseUrl ?? (await runEmbedded(config, shutdown));
  const role = await migrateAndGrant(openOwnerPool(connectionString, logErrorTo(log)), config);
  if (!role) log.warn(NO_ROLE);
  return { connectionString, role };
}

export function connect(
  { connectionString, role }: DatabaseAddress,
  { log, shutdown, poolSize }: { log: Logger; shutdown: Shutdown; poolSize?: number },
): Pool {
  const pool = openPool(connectionString, logErrorTo(log), role, poolSize);
  shutdown.add('connections', () => pool.end());
  return pool;
}

async function runEmbedded({ dataDir, workers }: Config, shutdown: Shutdown): Promise<string> {
  const maxConnections = Math.max(100, EXTRA_CONNECTIONS + CONNECTIONS_PER_PROCESS * (workers + 1));
  const starting = runEmbeddedPostgres({ dataDir, maxConnections });
  // Registered before the database is up, so that Ctrl-C during the first start stops it, too.
  shutdown.add('database', async () => (await starting.catch(() => null))?.stop());
  return (await starting).connectionString;
}

/** Migrates as the owner of the schema. All later connections use the returned role, which cannot change it. */
async function migrateAndGrant(owner: Pool, config: Config): Promise<string | null> {
  try {
    const ownsSchema = await migrate(owner);
    if (!config.stripe) await (await import('#sandbox/database.ts')).migrate(owner);
    return await grantApplicationRole(owner, { ownsSchema });
  } finally {
    await owner.end();
  }
}

const logErrorTo =
  (log: Logger) =>
  ({ message }: Error) =>
    log.error({ reason: message }, 'a database connection was lost');

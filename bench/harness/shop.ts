/** The app for one benchmark: its own database, and any number of server processes. */
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import { type Db, openDatabase, openPool, type Pool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import type { AppSettings } from './app-process.ts';
import { startPart } from './children.ts';
import { openBenchSetup } from './setup.ts';

export interface Shop {
  /** Dependencies of use cases called in this process, with the app's own pool. */
  deps: Pick<Deps, 'db' | 'clock' | 'changes' | 'log' | 'publicUrl' | 'appSecret' | 'rateLimiter'>;
  /** The benchmark's own connections as the database owner, for setup and checks. */
  owner: Db;
  ownerPool: Pool;
  /** The owner's connection string, for pgbench. */
  connectionString: string;
  /** Origins of the started processes. */
  origins: readonly string[];
  /** Port of the sandbox's API; 0 without processes. */
  sandboxPort: number;
  close(): Promise<void>;
}

export interface ShopOptions {
  /** Number of app processes that serve HTTP; 0 if a benchmark calls use cases itself. */
  processes?: number;
  /** Environment variables of the app: `{ RATE_LIMIT_SCALE: '0' }`. */
  settings?: Readonly<Record<string, string>>;
  /** PostgreSQL settings: `{ commit_delay: '1000', commit_siblings: '0' }`. */
  database?: Readonly<Record<string, string>>;
}

export async function openShop({ processes = 0, settings = {}, database = {} }: ShopOptions = {}): Promise<Shop> {
  const { connectionString, drop } = await createTestDatabase();
  const ownerPool = openPool(connectionString, () => {});
  const name = new URL(connectionString).pathname.slice(1);
  for (const [setting, value] of Object.entries(database))
    await ownerPool.query(`alter database "${name}" set ${setting} = '${value}'`);

  const { pool, clock, changes, log, appSecret, config, shutdown } = await openBenchSetup({
    connectionString,
    settings,
  });
  const started = processes > 0 ? await startProcesses({ connectionString, settings }, processes) : NO_PROCESSES;
  const db = openDatabase(pool);
  const rateLimiter = postgresRateLimiter(db, config.rateLimitScale, appSecret);
  return {
    deps: { db, clock, changes, log, appSecret, rateLimiter, publicUrl: config.publicUrl },
    owner: openDatabase(ownerPool),
    ownerPool,
    connectionString,
    origins: started.origins,
    sandboxPort: started.sandboxPort,
    async close() {
      for (const part of started.parts.toReversed()) await part.stop();
      await shutdown.run();
      await ownerPool.end();
      await drop();
    },
  };
}

interface Processes {
  parts: { stop(): Promise<unknown> }[];
  origins: string[];
  sandboxPort: number;
}

const NO_PROCESSES: Processes = { parts: [], origins: [], sandboxPort: 0 };

async function startProcesses(setup: Omit<AppSettings, 'sandboxPort'>, processes: number): Promise<Processes> {
  const sandbox = await startPart<{ apiPort: number }>('sandbox-process.ts', setup);
  const sandboxPort = sandbox.ready.apiPort;
  const apps = await Promise.all(
    Array.from({ length: processes }, () => startPart<string>('app-process.ts', { ...setup, sandboxPort })),
  );
  return { parts: [sandbox, ...apps], origins: apps.map(({ ready }) => ready), sandboxPort };
}

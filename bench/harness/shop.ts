/** The product for one benchmark: a database of its own, and as many processes as are asked for. */
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import { type Db, openDatabase, openPool, type Pool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import type { AppSettings } from './app-process.ts';
import { startPart } from './children.ts';
import { openBenchGround } from './ground.ts';

export interface Shop {
  /** What use cases need that are called in this process; the pool is the product's own. */
  deps: Pick<Deps, 'db' | 'clock' | 'changes' | 'log' | 'publicUrl' | 'appSecret' | 'tries'>;
  /** Connections of the benchmark's own, as the database's owner: for setting up and for checking. */
  owner: Db;
  ownerPool: Pool;
  /** The owner's address, for pgbench. */
  connectionString: string;
  /** Where the started processes answer. */
  origins: readonly string[];
  /** Of the sandbox's API; 0 where no process was asked for. */
  sandboxPort: number;
  close(): Promise<void>;
}

export interface ShopOptions {
  /** How many processes of the application serve HTTP; 0 where a benchmark calls use cases itself. */
  processes?: number;
  /** Of the product, by the names of its environment: `{ RATE_LIMIT_SCALE: '0' }`. */
  settings?: Readonly<Record<string, string>>;
  /** Of the database: `{ commit_delay: '1000', commit_siblings: '0' }`. */
  database?: Readonly<Record<string, string>>;
}

export async function openShop({ processes = 0, settings = {}, database = {} }: ShopOptions = {}): Promise<Shop> {
  const { connectionString, drop } = await createTestDatabase();
  const ownerPool = openPool(connectionString, () => {});
  const name = new URL(connectionString).pathname.slice(1);
  for (const [setting, value] of Object.entries(database))
    await ownerPool.query(`alter database "${name}" set ${setting} = '${value}'`);

  const { pool, clock, changes, log, appSecret, config, shutdown } = await openBenchGround({
    connectionString,
    settings,
  });
  const outside = processes > 0 ? await startOutside({ connectionString, settings }, processes) : nobody;
  const db = openDatabase(pool);
  const tries = postgresRateLimiter(db, config.rateLimitScale, appSecret);
  return {
    deps: { db, clock, changes, log, appSecret, tries, publicUrl: config.publicUrl },
    owner: openDatabase(ownerPool),
    ownerPool,
    connectionString,
    origins: outside.origins,
    sandboxPort: outside.sandboxPort,
    async close() {
      for (const part of outside.parts.toReversed()) await part.stop();
      await shutdown.run();
      await ownerPool.end();
      await drop();
    },
  };
}

interface Outside {
  parts: { stop(): Promise<unknown> }[];
  origins: string[];
  sandboxPort: number;
}

const nobody: Outside = { parts: [], origins: [], sandboxPort: 0 };

async function startOutside(ground: Omit<AppSettings, 'sandboxPort'>, processes: number): Promise<Outside> {
  const sandbox = await startPart<{ apiPort: number }>('sandbox-process.ts', ground);
  const sandboxPort = sandbox.ready.apiPort;
  const apps = await Promise.all(
    Array.from({ length: processes }, () => startPart<string>('app-process.ts', { ...ground, sandboxPort })),
  );
  return { parts: [sandbox, ...apps], origins: apps.map(({ ready }) => ready), sandboxPort };
}

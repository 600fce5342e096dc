/** The floor that every process of a benchmark stands on: the product's own start, up to where it serves. */
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { openResources, type Resources } from '#server/main/open-resources.ts';
import { Shutdown } from '#server/main/shutdown.ts';
import { APPLICATION_ROLE } from '#server/platform/application-role.sql.ts';
import { readConfig } from '#server/platform/config.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

export interface GroundSettings {
  connectionString: string;
  /** Of the product, by the names of its environment: `{ RATE_LIMIT_SCALE: '0' }`. */
  settings: Readonly<Record<string, string>>;
}

const DEFAULTS = {
  HOST: '127.0.0.1',
  APP_SECRET: 'a secret for benchmarks only, longer than 32 characters',
  SEED_DEMO: '0',
  // The load generator stands in for a proxy and says from whom each request comes.
  TRUST_PROXY: '1',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
};

export async function openBenchGround({ connectionString, settings }: GroundSettings): Promise<Resources> {
  const folder = makeDataDirectory();
  const config = readConfig({ ...DEFAULTS, DATA_DIR: folder, DATABASE_URL: connectionString, ...settings });
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const shutdown = new Shutdown();
  shutdown.add('folder', async () => rmSync(folder, { recursive: true, force: true }));
  return openResources(config, { address: { connectionString, role: APPLICATION_ROLE }, log, shutdown });
}

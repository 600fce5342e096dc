/** Set-up shared by every process of a benchmark: the app's own start, up to serving. */
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { openResources, type Resources } from '#server/main/open-resources.ts';
import { Shutdown } from '#server/main/shutdown.ts';
import { APPLICATION_ROLE } from '#server/platform/application-role.sql.ts';
import { readConfig } from '#server/platform/config.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

export interface SetupSettings {
  connectionString: string;
  /** Environment variables of the app: `{ RATE_LIMIT_SCALE: '0' }`. */
  settings: Readonly<Record<string, string>>;
}

const DEFAULTS = {
  HOST: '127.0.0.1',
  APP_SECRET: 'a secret for benchmarks only of more than 32 characters',
  SEED_DEMO: '0',
  // The load generator acts as a proxy and sets each request's client address.
  TRUST_PROXY: '1',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
};

export async function openBenchSetup({ connectionString, settings }: SetupSettings): Promise<Resources> {
  const folder = makeDataDirectory();
  const config = readConfig({ ...DEFAULTS, DATA_DIR: folder, DATABASE_URL: connectionString, ...settings });
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const shutdown = new Shutdown();
  shutdown.add('folder', async () => rmSync(folder, { recursive: true, force: true }));
  return openResources(config, { address: { connectionString, role: APPLICATION_ROLE }, log, shutdown });
}

/** Opens the resources that every process needs, whether it serves requests or supervises workers. */
import type { Logger } from 'pino';
import { openPostgresChanges } from '#server/platform/adapters/postgres-changes/postgres-changes.ts';
import { type MovableClock, openBusinessClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import type { Config } from '#server/platform/config.ts';
import { openDatabase, type Pool } from '#server/platform/database.ts';
import { queueSamples, type Sample, withLabels } from '#server/platform/metrics/sample.ts';
import { measureProcess } from '#server/platform/metrics/watch-process.ts';
import type { Changes } from '#server/platform/ports/changes.ts';
import { type AppSecret, readOrMakeAppSecret } from '#server/platform/secrets.ts';
import { connect, type DatabaseAddress } from './prepare-database.ts';
import type { Shutdown } from './shutdown.ts';

export interface Resources {
  config: Config;
  log: Logger;
  shutdown: Shutdown;
  pool: Pool;
  /** A few connections that checkouts cannot exhaust, for check-in and webhooks. */
  reservedPool: Pool;
  clock: MovableClock;
  changes: Changes;
  appSecret: AppSecret;
  /** Metrics of this process; empty if the metrics endpoint is off. */
  collectors: (() => Sample[])[];
}

const RESERVED_CONNECTIONS = 3;

export async function openResources(
  config: Config,
  { address, log, shutdown }: { address: DatabaseAddress; log: Logger; shutdown: Shutdown },
): Promise<Resources> {
  const pool = connect(address, { log, shutdown });
  const reservedPool = connect(address, { log, shutdown, poolSize: RESERVED_CONNECTIONS });
  const changes = await openPostgresChanges(pool, log);
  shutdown.add('changes', () => changes.close());
  const clock = await openBusinessClock(openDatabase(pool), changes, (seconds) =>
    log.warn({ seconds }, 'the clock of this machine is not that of the database, which is followed'),
  );
  const appSecret = config.appSecret ?? [await readOrMakeAppSecret(config.dataDir)];
  const collectors = config.metricsToken === null ? [] : [measureProcess(pool), queueSamples];
  return { config, log, shutdown, pool, reservedPool, changes, clock, appSecret, collectors };
}

export const samplesOf = ({ collectors }: Pick<Resources, 'collectors'>, labels: Record<string, string>): Sample[] =>
  withLabels(
    collectors.flatMap((collect) => collect()),
    labels,
  );

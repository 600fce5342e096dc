/** Opens the resources that every process needs, whether it serves requests or supervises workers. */
import type { Logger } from 'pino';
import { openPostgresChanges } from '#server/platform/adapters/postgres-changes/postgres-changes.ts';
import { type MovableClock, openBusinessClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import { readBuild } from '#server/platform/build.ts';
import type { Config } from '#server/platform/config.ts';
import { openDatabase, type Pool } from '#server/platform/database.ts';
import { type Measurement, ofProcess } from '#server/platform/metrics/measurement.ts';
import type { ProcessMetrics } from '#server/platform/metrics/process-metrics.ts';
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
  /** Null if the metrics endpoint is off. */
  metrics: ProcessMetrics | null;
  /** A connection for figures of the installation, which a busy process doesn't have to share. */
  metricsPool: Pool;
}

const RESERVED_CONNECTIONS = 3;

export async function openResources(
  config: Config,
  { address, log, shutdown }: { address: DatabaseAddress; log: Logger; shutdown: Shutdown },
): Promise<Resources> {
  if (config.tracing) {
    const { openTracing } = await import('#server/platform/tracing/open-tracing.ts');
    shutdown.add('traces', openTracing(config.tracing, readBuild()));
  }
  const pool = connect(address, { log, shutdown });
  const reservedPool = connect(address, { log, shutdown, poolSize: RESERVED_CONNECTIONS });
  const changes = await openPostgresChanges(pool, log);
  shutdown.add('changes', () => changes.close());
  const clock = await openBusinessClock(openDatabase(pool), changes, (seconds) =>
    log.warn({ seconds }, 'the clock of this machine is not that of the database, which is followed'),
  );
  const appSecret = config.appSecret ?? [await readOrMakeAppSecret(config.dataDir)];
  const metricsPool = connect(address, { log, shutdown, poolSize: 1 });
  const metrics = config.metricsToken === null ? null : await openMetrics({ shared: pool, reserved: reservedPool });
  return { config, log, shutdown, pool, reservedPool, changes, clock, appSecret, metrics, metricsPool };
}

async function openMetrics(pools: Record<string, Pool>): Promise<ProcessMetrics> {
  const { openProcessMetrics } = await import('#server/platform/metrics/process-metrics.ts');
  return openProcessMetrics({ pools, build: readBuild() });
}

export const measurementsOf = async (
  { metrics }: Pick<Resources, 'metrics'>,
  process: string,
): Promise<Measurement[]> => ofProcess((await metrics?.read()) ?? [], process);

/** The primary process: prepares the database, runs the sandbox, and supervises the workers. */
import type { Logger } from 'pino';
import type { MovableClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import type { Config } from '#server/platform/config.ts';
import { type Measurement, measurements, ofProcess } from '#server/platform/metrics/measurement.ts';
import type { Assignment } from './channel.ts';
import { runSandbox } from './open-integrations.ts';
import { measurementsOf, openResources, type Resources } from './open-resources.ts';
import { prepareDatabase } from './prepare-database.ts';
import type { Shutdown } from './shutdown.ts';
import { Workers } from './workers.ts';

/** A slower worker learns of the new time from the database. */
const CLOCK_TIMEOUT_MS = 1_000;
const METRICS_MS = 2_000;

export async function runWorkers(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const prepared = Promise.withResolvers<{ resources: Resources; assignment: Assignment }>();
  const workers = new Workers({
    count: config.workers,
    log,
    answersTo: ({ slot, isFirstStart }) => ({
      assignment: async () => ({ ...(await prepared.promise).assignment, isFirst: isFirstStart && slot === 1 }),
      'all metrics': async () => [
        ...(await measurementsOf((await prepared.promise).resources, 'first')),
        ...(await metricsOf(workers)),
      ],
    }),
  });
  // Started early, so that workers load their code while the database is prepared. Stopped after it if that fails.
  shutdown.add('waiting workers', () => workers.stop());
  const started = workers.start();
  // Awaited below, unless the preparation fails first.
  started.catch(() => {});

  const address = await prepareDatabase(config, log, shutdown);
  const resources = await openResources(config, { address, log, shutdown });
  const clock = broadcast(resources.clock, () => workers.ask('clock moved', CLOCK_TIMEOUT_MS));
  const sandbox = config.stripe ? null : await runSandbox(config, { ...resources, clock }, shutdown);
  // Registered again, so that the workers stop before the resources they use.
  shutdown.add('workers', () => workers.stop());
  prepared.resolve({ resources, assignment: { address, sandboxPort: sandbox?.apiPort ?? null, isFirst: false } });
  await started;
}

async function metricsOf(workers: Workers): Promise<Measurement[]> {
  const answers = await workers.ask('metrics', METRICS_MS);
  return answers.flatMap(({ slot, answer }) => ofProcess(measurements.parse(answer), String(slot)));
}

/** Once the clock has moved, every worker uses the new time. */
function broadcast(clock: MovableClock, notify: () => Promise<unknown>): MovableClock {
  return {
    ...clock,
    async advanceSeconds(seconds) {
      await clock.advanceSeconds(seconds);
      await notify();
    },
  };
}

/** The first of several processes: prepares the database, plays the card company, and looks after those that serve. */
import type { Logger } from 'pino';
import type { MovableClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import type { Config } from '#server/platform/config.ts';
import { labelled, type Sample } from '#server/platform/metrics/sample.ts';
import { type Assignment, measurements } from './channel.ts';
import { runSandbox } from './open-integrations.ts';
import { openResources, type Resources, samplesOf } from './open-resources.ts';
import { prepareDatabase } from './prepare-database.ts';
import type { Shutdown } from './shutdown.ts';
import { Workers } from './workers.ts';

/** A worker that does not answer in this time hears of the move from the database. */
const CLOCK_MS = 1_000;
const MEASURE_MS = 2_000;

export async function runWorkers(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const begun = Promise.withResolvers<{ ground: Resources; assignment: Assignment }>();
  const workers = new Workers({
    count: config.workers,
    log,
    answersTo: ({ place, isFirstStart }) => ({
      'what to do': async () => ({ ...(await begun.promise).assignment, isFirst: isFirstStart && place === 1 }),
      'measured by all': async () => [
        ...samplesOf((await begun.promise).ground, { process: 'first' }),
        ...(await measuredBy(workers)),
      ],
    }),
  });
  // At once: they read in their code while the database is prepared. Should that fail, they end after it.
  shutdown.add('waiting workers', () => workers.stop());
  const started = workers.start();
  // Looked at below, and perhaps not reached.
  started.catch(() => {});

  const address = await prepareDatabase(config, log, shutdown);
  const ground = await openResources(config, { address, log, shutdown });
  const clock = broadcast(ground.clock, () => workers.ask('the clock moved', CLOCK_MS));
  const sandbox = config.stripe ? null : await runSandbox(config, { ...ground, clock }, shutdown);
  // Before all that they stand on.
  shutdown.add('workers', () => workers.stop());
  begun.resolve({ ground, assignment: { address, sandboxPort: sandbox?.apiPort ?? null, isFirst: false } });
  await started;
}

async function measuredBy(workers: Workers): Promise<Sample[]> {
  const answers = await workers.ask('measured', MEASURE_MS);
  return answers.flatMap(({ place, answer }) => labelled(measurements.parse(answer), { process: String(place) }));
}

/** Whoever moved the clock and was answered finds every worker at the new time. */
function broadcast(clock: MovableClock, tell: () => Promise<unknown>): MovableClock {
  return {
    ...clock,
    async advanceSeconds(seconds) {
      await clock.advanceSeconds(seconds);
      await tell();
    },
  };
}

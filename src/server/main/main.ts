/** Starts the product: one process, or a first one with workers. Says where it is, and stops cleanly. */
import cluster from 'node:cluster';
import { pino } from 'pino';
import { readConfig } from '#server/platform/config.ts';
import { openLog } from './open-log.ts';
import { Shutdown } from './shutdown.ts';
import { exitWith } from './start-problem.ts';
import { announce } from './welcome.ts';

// A closed terminal or pipe must not keep the product from ending in order.
for (const printed of [process.stdout, process.stderr]) printed.on('error', () => {});
const logged = pino.destination({ dest: 2, sync: true }).on('error', () => {});

const shutdown = new Shutdown();
shutdown.listen({ endsAtSecondSignal: cluster.isPrimary });
// Workers end with the first process anyway.
if (cluster.isPrimary && process.argv.includes('--end-with-starter')) shutdown.endWithStarter();
try {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel, logged);
  const run = await part(config.workers);
  await run(config, log, shutdown);
  if (cluster.isPrimary) announce(config);
} catch (error) {
  await shutdown.run();
  exitWith(error);
}

/** Loads no more than this process needs: the first of several serves no requests. */
async function part(workers: number) {
  if (cluster.isWorker) return (await import('./run-as-worker.ts')).runAsWorker;
  if (workers > 1) return (await import('./run-workers.ts')).runWorkers;
  return (await import('./run-alone.ts')).runAlone;
}

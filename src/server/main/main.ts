/** Starts the product, as one process or as a primary process with workers, and shuts it down cleanly. */
import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { readBuild } from '#server/platform/build.ts';
import { readConfig } from '#server/platform/config.ts';
import { openLog } from './open-log.ts';
import { Shutdown } from './shutdown.ts';
import { exitWith } from './start-problem.ts';
import { announce } from './welcome.ts';

// A closed terminal or pipe must not prevent a clean shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const logDestination = pino.destination({ dest: 2, sync: true }).on('error', () => {});

const shutdown = new Shutdown();
shutdown.listen({ endsAtSecondSignal: cluster.isPrimary });
// Workers end with the primary process anyway.
if (cluster.isPrimary && process.argv.includes('--end-with-starter')) shutdown.endWithParent();
try {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel, logDestination);
  if (cluster.isPrimary) logStart(log, config.logLevel);
  if (cluster.isPrimary && config.smtpUrl !== null)
    await (await import('./require-smtp-tls.ts')).requireSmtpTls(config.smtpUrl, config, log);
  if (cluster.isPrimary && config.bucket !== null)
    await (await import('./require-bucket.ts')).requireBucket(config.bucket, log);
  const run = await entryPoint(config.workers);
  await run(config, log, shutdown);
  if (cluster.isPrimary) announce(config);
} catch (error) {
  await shutdown.run();
  exitWith(error);
}

/** Loads only the code that this process needs: the primary process serves no requests. */
async function entryPoint(workers: number) {
  if (cluster.isWorker) return (await import('./run-as-worker.ts')).runAsWorker;
  if (workers > 1) return (await import('./run-workers.ts')).runWorkers;
  return (await import('./run-alone.ts')).runAlone;
}

/** The first line of each log, at any level, says which code wrote it. A person at a terminal hasn't asked for it. */
function logStart(log: Logger, level: string): void {
  const isShown = level !== 'silent' && !process.stderr.isTTY;
  (isShown ? log.child({}, { level: 'info' }) : log).info(readBuild(), 'starting');
}

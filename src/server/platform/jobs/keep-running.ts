/**
 * Restarts the job runner. It shuts down when it cannot mark a job as done, for example because the database is gone; that job
 * then counts as lost and runs again.
 *
 * A runner that shuts down can wait forever for its last database write, so waiting for it has a timeout.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Deps } from '#server/platform/deps.ts';
import type { QueueTimes } from './queue-times.ts';

type Times = Pick<QueueTimes, 'shutdownTimeoutMs' | 'pauseMs'>;

export async function keepRunning(
  start: () => Promise<Runner>,
  { log }: Pick<Deps, 'log'>,
  { shutdownTimeoutMs, pauseMs }: Times,
) {
  let runner: Runner | null = await start();
  let isStopping = false;
  let beginTimeout = () => {};
  const supervision = supervise();

  async function supervise(): Promise<void> {
    while (!isStopping) {
      if (runner) await untilEnded(runner);
      if (isStopping) return;
      if (runner) {
        log.error('the job runner shut down and is restarted');
        // Ends its schedule. Rejects if it has ended.
        runner.stop().catch(() => {});
      }
      await sleep(pauseMs);
      // stop() may have been called during the pause.
      runner = isStopping ? null : await startInTime();
    }
    await runner?.stop().catch(() => {});
  }

  /** A start can wait forever for the database, too. */
  async function startInTime(): Promise<Runner | null> {
    const starting = start().catch(() => null);
    const started = await Promise.race([starting, sleep(shutdownTimeoutMs, null, { ref: false })]);
    if (!started) void starting.then((late) => late?.stop().catch(() => {}));
    return started;
  }

  async function untilEnded({ promise, events }: Runner): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    beginTimeout = () => {
      timer ??= setTimeout(timeout.resolve, shutdownTimeoutMs);
    };
    events.once('pool:gracefulShutdown', beginTimeout);
    await Promise.race([promise.catch(() => {}), timeout.promise]);
    events.off('pool:gracefulShutdown', beginTimeout);
    clearTimeout(timer);
  }

  return {
    /** Lets running jobs finish within the timeout, then starts a new runner with new workers. */
    restart(): void {
      beginTimeout();
      runner?.stop().catch(() => {});
    },

    async stop(): Promise<void> {
      isStopping = true;
      // Rejects if the runner has already shut down by itself.
      await runner?.stop().catch(() => {});
      await supervision;
    },
  };
}

/**
 * A queue's runner gives up when it cannot write down that a job is done: the database has gone, say. Then it is begun anew, once
 * there is a database again; what it could not write down counts as lost, and is done again.
 *
 * A runner that gives up may wait for ever for what it can no longer write down, and do nothing any more. So nobody waits for it
 * for ever.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Deps } from '#server/platform/deps.ts';
import type { QueueTimes } from './queue-times.ts';

type Times = Pick<QueueTimes, 'givesUpWithinMs' | 'pauseMs'>;

export async function keepRunning(
  begin: () => Promise<Runner>,
  { log }: Pick<Deps, 'log'>,
  { givesUpWithinMs, pauseMs }: Times,
) {
  let runner: Runner | null = await begin();
  let isStopping = false;
  let giveUp = () => {};
  const keeping = keep();

  async function keep(): Promise<void> {
    while (!isStopping) {
      if (runner) await untilItIsOver(runner);
      if (isStopping) return;
      if (runner) log.error('the queue gave up, and is begun anew');
      await sleep(pauseMs);
      // Checked again: it may have been stopped during the pause.
      runner = isStopping ? null : await begin().catch(() => null);
    }
    await runner?.stop().catch(() => {});
  }

  async function untilItIsOver({ promise, events }: Runner): Promise<void> {
    const patience = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    giveUp = () => {
      timer ??= setTimeout(patience.resolve, givesUpWithinMs);
    };
    events.once('pool:gracefulShutdown', giveUp);
    await Promise.race([promise.catch(() => {}), patience.promise]);
    events.off('pool:gracefulShutdown', giveUp);
    clearTimeout(timer);
  }

  return {
    /** What is under way is finished first, if that does not take too long; the new runner's workers are other ones. */
    renew(): void {
      giveUp();
      runner?.stop().catch(() => {});
    },

    async stop(): Promise<void> {
      isStopping = true;
      // One that has given up by itself says that it is stopped already.
      await runner?.stop().catch(() => {});
      await keeping;
    },
  };
}

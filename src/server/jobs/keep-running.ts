/**
 * A queue's runner gives up when it cannot write down that a job is done: the database has gone, say. Then it is begun anew, once
 * there is a database again; what it could not write down counts as lost, and is done again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Deps } from '#server/deps.ts';

const PAUSE_MS = 500;

export async function keepRunning(begin: () => Promise<Runner>, { log }: Pick<Deps, 'log'>) {
  let runner: Runner | null = await begin();
  let isStopping = false;
  const keeping = keep();

  async function keep(): Promise<void> {
    while (!isStopping) {
      await runner?.promise.catch(() => {});
      if (isStopping) return;
      if (runner) log.error('the queue gave up, and is begun anew');
      await sleep(PAUSE_MS);
      // Checked again: it may have been stopped during the pause.
      runner = isStopping ? null : await begin().catch(() => null);
    }
    await runner?.stop().catch(() => {});
  }

  return {
    async stop(): Promise<void> {
      isStopping = true;
      // One that has given up by itself says that it is stopped already.
      await runner?.stop().catch(() => {});
      await keeping;
    },
  };
}

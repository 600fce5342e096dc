import { QueueFullError } from './batcher.ts';

export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Work that looks at every row of an event, one after the other in this process: sales need the few connections more.
 * Rejects with `QueueFullError` at once if `waitingMax` others are waiting or running.
 */
export function openOneAtATime({ waitingMax }: { waitingMax: number }): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= waitingMax) throw new QueueFullError();
    waiting += 1;
    const done = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = done.catch(() => {});
    return done;
  };
}

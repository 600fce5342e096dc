import { tooBusy } from '#contract/messages/requests.ts';
import { unavailable } from '#server/platform/app-error.ts';

const MAX_WAITING = 50;
const RETRY_SECONDS = 10;

/** Runs up to `concurrency` tasks at a time and queues the rest in order. A full queue rejects with a 503. */
export function createWorkQueue({ concurrency }: { concurrency: number }): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running >= concurrency) {
      if (waiting.length >= MAX_WAITING) throw unavailable(tooBusy, RETRY_SECONDS);
      // A finished task passes its slot to the next one, so `running` counts only new slots.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

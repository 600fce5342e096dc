import { tooBusy } from '#contract/sentences.ts';
import { unavailable } from '#server/platform/app-error.ts';

const WAITING_AT_MOST = 50;
const RETRY_SECONDS = 10;

/** Does so many pieces of work at a time, the others after them in their order. More than can wait are refused at once. */
export function openSerialQueue({ atOnce }: { atOnce: number }): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;

  return async (work) => {
    if (underWay >= atOnce) {
      if (waiting.length >= WAITING_AT_MOST) throw unavailable(tooBusy, RETRY_SECONDS);
      // Whoever is done hands the place on.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else underWay++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    }
  };
}

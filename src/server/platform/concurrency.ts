import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` on every item in order, with at most `concurrency` in progress. `work` must not reject. */
export async function mapConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Each call waits for its turn, so that at most so many begin per second. Null: no limit. */
export function turnsPerSecond(rate: number | null): () => Promise<void> {
  if (rate === null) return async () => {};
  let nextAt = performance.now();
  return async () => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + 1000 / rate;
    if (at > now) await sleep(at - now);
  };
}

import { LRUCache } from 'lru-cache';
import { openBatcher } from './batcher.ts';

export interface CachedReads<Value> {
  /** As it was a moment ago. */
  cached(key: string): Value | undefined;
  /** As it is now, read together with concurrent requests. */
  fresh(key: string): Promise<Value | undefined>;
}

interface Reads<Value> {
  /** Label of the metrics. */
  name: string;
  max: number;
  ttlMs: number;
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
}

export function openCachedReads<Value extends object>({ name, max, ttlMs, read }: Reads<Value>): CachedReads<Value> {
  const values = new LRUCache<string, Value>({ max, ttl: ttlMs });
  const batcher = openBatcher<string, Value | undefined>({
    name,
    one: async (key) => (await readNow([key])).get(key),
    async many(keys) {
      const found = await readNow([...new Set(keys)]);
      return keys.map((key) => found.get(key));
    },
  });
  return { cached: (key) => values.get(key), fresh: (key) => batcher.run(key) };

  async function readNow(keys: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    const start = performance.now();
    const found = await read(keys);
    for (const key of keys) values.delete(key);
    for (const [key, value] of found) values.set(key, value, { start });
    return found;
  }
}

import type { Sample } from './benchmark.ts';
import { Latencies } from './latencies.ts';

/**
 * Runs `clients` concurrent clients in this process; each starts again as soon as it has its answer.
 *
 * @param once one client's iteration; resolves to `false` if it should not count, such as a sale that was denied
 */
export async function closedLoop(
  { clients, seconds }: { clients: number; seconds: number },
  once: (client: number) => Promise<boolean | void>,
): Promise<Sample> {
  const latencies = new Latencies();
  const start = performance.now();
  const end = start + seconds * 1000;
  async function client(number: number): Promise<void> {
    while (performance.now() < end) {
      const since = performance.now();
      if ((await once(number)) !== false) latencies.record(since);
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return latencies.sample((performance.now() - start) / 1000);
}

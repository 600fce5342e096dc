import type { Sample } from './benchmark.ts';
import { Latencies } from './latencies.ts';

/**
 * So many clients in this process, each of whom begins anew as soon as it has its answer.
 *
 * @param once one client's turn; resolves to `false` where it should not count, such as a sale that was refused
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

/** Runs one benchmark in its own process, so that no state carries over. */
import type { Benchmark, Options } from './benchmark.ts';
import type { Part } from './children.ts';
import { type Outcome, runRounds } from './run-rounds.ts';

export interface OneBenchmark {
  /** URL of the file that exports it. */
  url: string;
  options: Options;
}

export async function start({ url, options }: OneBenchmark): Promise<Part<Outcome>> {
  const loaded = (await import(url)) as { bench: Benchmark };
  return { ready: await runRounds(loaded.bench, options), stop: async () => {} };
}

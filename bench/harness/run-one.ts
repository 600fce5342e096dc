/** One benchmark in a process of its own, so that none runs on what another left behind. */
import type { Benchmark, Options } from './benchmark.ts';
import type { Part } from './children.ts';
import { type Outcome, runRounds } from './run-rounds.ts';

export interface OneBenchmark {
  /** Of the file that exports it. */
  url: string;
  options: Options;
}

export async function start({ url, options }: OneBenchmark): Promise<Part<Outcome>> {
  const loaded = (await import(url)) as { bench: Benchmark };
  return { ready: await runRounds(loaded.bench, options), stop: async () => {} };
}

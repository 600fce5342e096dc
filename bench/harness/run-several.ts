/** Runs the benchmarks that the parent asks for, one after the other, with all of their parts in this process. */
import { type Part, startPartsHere } from './children.ts';
import { type OneBenchmark, start as startOne } from './run-one.ts';
import type { Outcome } from './run-rounds.ts';

export type Answer = { outcome: Outcome } | { failure: string };

export async function start(): Promise<Part<null>> {
  startPartsHere();
  process.on('message', (asked: OneBenchmark) => void answer(asked).then((said) => process.send?.(said)));
  return { ready: null, stop: async () => {} };
}

/** A benchmark that breaks must not end the process that the others need. */
async function answer(asked: OneBenchmark): Promise<Answer> {
  try {
    return { outcome: (await startOne(asked)).ready };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

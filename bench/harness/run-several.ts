/** Runs the benchmarks that the parent asks for, one after another, with all of their parts in this process. */
import { type Part, startPartsHere } from './children.ts';
import { type OneBenchmark, start as startOne } from './run-one.ts';
import type { Outcome } from './run-rounds.ts';

export type Answer = { outcome: Outcome } | { failure: string };

export async function start(): Promise<Part<null>> {
  startPartsHere();
  process.on('message', (requested: OneBenchmark) => void answer(requested).then((reply) => process.send?.(reply)));
  return { ready: null, stop: async () => {} };
}

/** A failing benchmark must not end the process that the others need. */
async function answer(requested: OneBenchmark): Promise<Answer> {
  try {
    return { outcome: (await startOne(requested)).ready };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

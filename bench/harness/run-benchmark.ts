/** Finds the benchmarks and runs them. Needs a running PostgreSQL (`startPostgres`). */
import { readdirSync } from 'node:fs';
import type { Options } from './benchmark.ts';
import { startChild } from './children.ts';
import type { OneBenchmark } from './run-one.ts';
import type { Outcome } from './run-rounds.ts';
import type { Answer } from './run-several.ts';

const FOLDER = new URL('../', import.meta.url);
const ENDING = '.bench.ts';

export const benchmarkNames: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .sort();

/** Runs it in its own process. */
export async function runBenchmark(name: string, options: Options): Promise<Outcome> {
  const child = await startChild<Outcome>('run-one.ts', oneBenchmark(name, options));
  await child.stop();
  return child.ready;
}

/** Runs benchmarks in one shared process: fast, but not for measuring. */
export async function startRunningSeveral() {
  const child = await startChild<null>('run-several.ts', null);
  return {
    async run(name: string, options: Options): Promise<Outcome> {
      const answer = await child.ask<Answer>(oneBenchmark(name, options));
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.outcome;
    },
    stop: () => child.stop(),
  };
}

const oneBenchmark = (name: string, options: Options): OneBenchmark => ({
  url: new URL(`${name}${ENDING}`, FOLDER).href,
  options,
});

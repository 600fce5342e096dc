/** Finds the benchmarks and runs them, each in a process of its own. PostgreSQL must be there (`startPostgres`). */
import { readdirSync } from 'node:fs';
import type { Options } from './benchmark.ts';
import { startChild } from './children.ts';
import type { Outcome } from './run-rounds.ts';

const FOLDER = new URL('../', import.meta.url);
const ENDING = '.bench.ts';

export const benchmarkNames: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length))
  .sort();

export async function runBenchmark(name: string, options: Options): Promise<Outcome> {
  const file = new URL(`${name}${ENDING}`, FOLDER).href;
  const child = await startChild<Outcome>('run-one.ts', { file, options });
  await child.stop();
  return child.ready;
}

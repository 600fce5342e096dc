/** One benchmark in a process of its own, so that none runs on what another left behind. Answers its parent. */
import type { Benchmark, Options } from './benchmark.ts';
import { given, standBy } from './children.ts';
import { runRounds } from './run-rounds.ts';

const { file, options } = given<{ file: string; options: Options }>();
const loaded = (await import(file)) as { bench: Benchmark };

standBy(await runRounds(loaded.bench, options), async () => {});

/** Plays the rounds of one benchmark and sums them up. */
import type { Benchmark, Figure, Options, Round, Sample, Stage } from './benchmark.ts';

/** A line of the table, and of `--json`. */
export interface Line {
  name: string;
  /** Median over the rounds of what is held against the target. */
  ratio: number;
  target: number;
  /** Whether `target` is a floor or a ceiling. */
  bound: 'at least' | 'at most';
  met: boolean;
  baseline: string;
  /** Median of the subject's own measure, in `unit`. */
  value: number;
  unit: string;
  rounds: number;
  /** Of the ratio. */
  min: number;
  max: number;
  /** No total was wrong in any round. */
  exact: boolean;
}

export interface Outcome {
  lines: Line[];
  /** A sentence for each wrong total. */
  wrong: string[];
}

export async function runRounds(benchmark: Benchmark, options: Options): Promise<Outcome> {
  const stage = await benchmark.open(options);
  try {
    // Once, uncounted: compilers and caches are warm in every round that counts.
    await play(stage, options.smoke ? 0 : Math.min(1, options.seconds), false);
    const rounds: Round[] = [];
    const wrong: string[] = [];
    for (let count = 0; count < options.rounds; count++) {
      const round = await play(stage, options.seconds, count % 2 === 1);
      rounds.push(round);
      wrong.push(...(await stage.check(round)).map((sentence) => `${benchmark.name}, round ${count + 1}: ${sentence}`));
    }
    return { lines: benchmark.figures.map((figure) => lineOf(benchmark, figure, rounds, wrong.length === 0)), wrong };
  } finally {
    await stage.close();
  }
}

async function play({ contestants }: Stage, seconds: number, backwards: boolean): Promise<Round> {
  const names = Object.keys(contestants);
  const samples: Record<string, Sample> = {};
  for (const name of backwards ? names.reverse() : names) {
    const sample = seconds > 0 ? await contestants[name]?.(seconds) : undefined;
    if (sample) samples[name] = sample;
  }
  return samples;
}

function lineOf(benchmark: Benchmark, figure: Figure, rounds: readonly Round[], exact: boolean): Line {
  const ratios = rounds.map((round) => figure.ratio(round));
  const ratio = medianOf(ratios);
  const [bound, target] =
    'atLeast' in figure.target
      ? (['at least', figure.target.atLeast] as const)
      : (['at most', figure.target.atMost] as const);
  return {
    name: figure.name ?? benchmark.name,
    ratio,
    target,
    bound,
    met: bound === 'at least' ? ratio >= target : ratio <= target,
    baseline: figure.baseline,
    value: medianOf(rounds.map((round) => figure.value(round))),
    unit: figure.unit,
    rounds: rounds.length,
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    exact,
  };
}

/** What is unknown in one round is unknown: sorted among the others, it could leave any of them in the middle. */
export function medianOf(numbers: readonly number[]): number {
  if (numbers.some(Number.isNaN)) return Number.NaN;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** Runs the rounds of one benchmark and summarizes them. */
import type { Benchmark, Fixture, Metric, Options, Round, Sample } from './benchmark.ts';

/** One row of the results table, and one line of `--json`. */
export interface ResultRow {
  name: string;
  /** Median over the rounds of what is compared with the target. */
  ratio: number;
  target: number;
  /** Whether `target` is a lower or an upper bound. */
  bound: 'at least' | 'at most';
  met: boolean;
  baseline: string;
  /** Median of the subject's absolute measure, in `unit`. */
  value: number;
  unit: string;
  rounds: number;
  /** Range of the ratio. */
  min: number;
  max: number;
  /** True if every total was right in every round. */
  exact: boolean;
}

export interface Outcome {
  rows: ResultRow[];
  /** One message per wrong total. */
  wrong: string[];
}

export async function runRounds(benchmark: Benchmark, options: Options): Promise<Outcome> {
  const fixture = await benchmark.open(options);
  try {
    // Warm-up, not counted: compilers and caches are warm in every round that counts.
    await runRound(fixture, options.smoke ? 0 : Math.min(1, options.seconds), false);
    const rounds: Round[] = [];
    const wrong: string[] = [];
    for (let count = 0; count < options.rounds; count++) {
      const round = await runRound(fixture, options.seconds, count % 2 === 1);
      rounds.push(round);
      wrong.push(...(await fixture.check(round)).map((message) => `${benchmark.name}, round ${count + 1}: ${message}`));
    }
    return { rows: benchmark.metrics.map((metric) => rowOf(benchmark, metric, rounds, wrong.length === 0)), wrong };
  } finally {
    await fixture.close();
  }
}

async function runRound({ contestants }: Fixture, seconds: number, backwards: boolean): Promise<Round> {
  const names = Object.keys(contestants);
  const samples: Record<string, Sample> = {};
  for (const name of backwards ? names.reverse() : names) {
    const sample = seconds > 0 ? await contestants[name]?.(seconds) : undefined;
    if (sample) samples[name] = sample;
  }
  return samples;
}

function rowOf(benchmark: Benchmark, metric: Metric, rounds: readonly Round[], exact: boolean): ResultRow {
  const ratios = rounds.map((round) => metric.ratio(round));
  const ratio = medianOf(ratios);
  const [bound, target] =
    'atLeast' in metric.target
      ? (['at least', metric.target.atLeast] as const)
      : (['at most', metric.target.atMost] as const);
  return {
    name: metric.name ?? benchmark.name,
    ratio,
    target,
    bound,
    met: bound === 'at least' ? ratio >= target : ratio <= target,
    baseline: metric.baseline,
    value: medianOf(rounds.map((round) => metric.value(round))),
    unit: metric.unit,
    rounds: rounds.length,
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    exact,
  };
}

/** Any NaN makes the median NaN: sorted among the numbers, it could leave any of them in the middle. */
export function medianOf(numbers: readonly number[]): number {
  if (numbers.some(Number.isNaN)) return Number.NaN;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

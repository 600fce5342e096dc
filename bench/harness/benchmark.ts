/**
 * A benchmark measures a subject and its baselines in the same round, on the same machine. Only their ratio counts: a
 * noisy neighbor slows both.
 */

/** One run of one contestant. */
export interface Sample {
  perSecond: number;
  /** Milliseconds, if single answers were timed. */
  p50?: number;
  p99?: number;
  max?: number;
  /** Any other input of a metric. */
  [more: string]: number | undefined;
}

/** Samples of one round, by contestant. */
export type Round<Contestant extends string = string> = Readonly<Record<Contestant, Sample>>;

/** One row of the results table: a number from each round, and the bound for its median. */
export interface Metric<Contestant extends string = string> {
  /** Name of the row, for a benchmark with several: `reserve-http/256`. */
  name?: string;
  /** `{ atLeast: 10 }`, or `{ atMost: 25 }`. */
  target: { atLeast: number } | { atMost: number };
  /** Describes the divisor of `ratio`; without a division, describes what it counts. */
  baseline: string;
  ratio(round: Round<Contestant>): number;
  /** The subject's absolute measure, for the reader. */
  value(round: Round<Contestant>): number;
  unit: string;
}

export interface Fixture<Contestant extends string = string> {
  /** All of them run in every round, in alternating order. */
  contestants: Readonly<Record<Contestant, (seconds: number) => Promise<Sample>>>;
  /** Runs after each round: one message per wrong total. An empty list passes. */
  check(round: Round<Contestant>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Options {
  /** Seconds that one contestant runs in one round. */
  seconds: number;
  rounds: number;
  /** As small as possible: only checks that it runs and that its totals are right. Speed is not judged. */
  smoke: boolean;
}

export interface Benchmark<Contestant extends string = string> {
  name: string;
  /** What the benchmark measures, as one sentence. */
  what: string;
  metrics: readonly Metric<Contestant>[];
  open(options: Options): Promise<Fixture<Contestant>>;
}

/** Infers the contestants' names for the metrics that read them. */
export function benchmark<Contestant extends string>(parts: Benchmark<Contestant>): Benchmark<Contestant> {
  return parts;
}

/**
 * What a benchmark is. It measures a subject and its baselines in turns, in the same round, on the same machine, so that
 * what counts is their ratio: a noisy neighbour slows both.
 */

/** One run of one contestant. */
export interface Sample {
  perSecond: number;
  /** Milliseconds, where single answers were timed. */
  p50?: number;
  p99?: number;
  max?: number;
  /** Whatever else a figure is made of. */
  [more: string]: number | undefined;
}

/** What the contestants of one round measured, by their names. */
export type Round<Contestant extends string = string> = Readonly<Record<Contestant, Sample>>;

/** One line of the table: a number made from each round, and the bound that its median must keep. */
export interface Figure<Contestant extends string = string> {
  /** Of the line, where a benchmark has several: `reserve-http/256`. */
  name?: string;
  /** `{ atLeast: 10 }`, or `{ atMost: 25 }`. */
  target: { atLeast: number } | { atMost: number };
  /** What `ratio` is divided by, in words; where nothing is divided, what it counts. */
  baseline: string;
  ratio(round: Round<Contestant>): number;
  /** The subject's own measure, for the reader. */
  value(round: Round<Contestant>): number;
  unit: string;
}

export interface Stage<Contestant extends string = string> {
  /** Runs each of these in every round, forwards in one, backwards in the next. */
  contestants: Readonly<Record<Contestant, (seconds: number) => Promise<Sample>>>;
  /** After each round: a sentence for each total that is wrong. None is what it takes to pass. */
  check(round: Round<Contestant>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Options {
  /** Seconds that one contestant runs in one round. */
  seconds: number;
  rounds: number;
  /** As small as it can be: does it run, and are its totals right? Speed is not judged. */
  smoke: boolean;
}

export interface Benchmark<Contestant extends string = string> {
  name: string;
  /** One sentence: what is done, by how many, to what. */
  what: string;
  figures: readonly Figure<Contestant>[];
  open(options: Options): Promise<Stage<Contestant>>;
}

/** Binds the names of the contestants to the figures that read them. */
export function benchmark<Contestant extends string>(parts: Benchmark<Contestant>): Benchmark<Contestant> {
  return parts;
}

/** Records the latency of single answers. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Sample } from './benchmark.ts';

export class Latencies {
  // Microseconds, from 1 to a minute, with three significant digits.
  readonly #times: RecordableHistogram = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });

  /** @param since `performance.now()` at the start */
  record(since: number): void {
    this.#times.record(Math.max(1, Math.round((performance.now() - since) * 1000)));
  }

  get count(): number {
    return this.#times.count;
  }

  /**
   * Omits the latencies if there are none: the histogram would report 0, which meets every upper bound.
   *
   * @param seconds duration of the measurement
   */
  sample(seconds: number): Sample {
    const { count } = this.#times;
    if (count === 0) return { perSecond: 0, count };
    return {
      perSecond: count / seconds,
      p50: this.#times.percentile(50) / 1000,
      p99: this.#times.percentile(99) / 1000,
      max: this.#times.max / 1000,
      count,
    };
  }
}

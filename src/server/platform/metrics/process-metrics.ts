/** Metrics of this process. Loaded only if they are on: prom-client takes 60 ms of CPU time to load. */
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Build } from '#server/platform/build.ts';
import type { Pool } from '#server/platform/database.ts';
import { type Measurement, measure, measurements } from './measurement.ts';
import { openResponseTimes, type TimedResponse } from './response-times.ts';
import { type BatcherTally, readTallies } from './tallies.ts';

export interface ProcessMetrics {
  recordResponse(response: TimedResponse): void;
  read(): Promise<Measurement[]>;
}

type Pools = Record<string, Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>;

export function openProcessMetrics({ pools, build }: { pools: Pools; build: Build }): ProcessMetrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const times = openResponseTimes();

  return {
    recordResponse: times.record,
    async read() {
      const registered = (await register.getMetricsAsJSON()).map((one) => ({
        ...one,
        aggregator: 'sum',
        // An event loop that was not measured yet has no mean.
        values: one.values.filter(({ value }) => Number.isFinite(value)),
      }));
      return [
        ...measurements.parse(registered),
        times.read(),
        measure('handstamp_build_info', [{ labels: { ...build }, value: 1 }]),
        measure('handstamp_process_info', [{ labels: { pid: String(process.pid) }, value: 1 }]),
        ...ofPools(pools),
        ...ofTallies(),
      ];
    },
  };
}

function ofPools(pools: Pools): Measurement[] {
  const each = Object.entries(pools);
  return [
    measure(
      'handstamp_database_connections',
      each.flatMap(([pool, { totalCount, idleCount }]) => [
        { labels: { pool, state: 'in-use' }, value: totalCount - idleCount },
        { labels: { pool, state: 'idle' }, value: idleCount },
      ]),
    ),
    measure(
      'handstamp_database_waiting',
      each.map(([pool, { waitingCount }]) => ({ labels: { pool }, value: waitingCount })),
    ),
  ];
}

function ofTallies(): Measurement[] {
  const { batchers, shedRequests, jobFailures } = readTallies();
  const ofBatchers = (figure: keyof BatcherTally) =>
    batchers.map(([batcher, tally]) => ({ labels: { batcher }, value: tally[figure] }));
  return [
    measure('handstamp_batcher_waiting', ofBatchers('waiting')),
    measure('handstamp_batches_total', ofBatchers('batches')),
    measure('handstamp_batched_requests_total', ofBatchers('requests')),
    measure('handstamp_batcher_rejected_total', ofBatchers('rejected')),
    measure(
      'handstamp_http_requests_shed_total',
      shedRequests.map(([priority, value]) => ({ labels: { priority }, value })),
    ),
    measure(
      'handstamp_job_failures_total',
      jobFailures.map(([task, value]) => ({ labels: { task }, value })),
    ),
  ];
}

/** Prometheus' text format, with all values of a metric together. */
export const formatMeasurements = (given: readonly Measurement[]): Promise<string> =>
  AggregatorRegistry.aggregate([given]).metrics();

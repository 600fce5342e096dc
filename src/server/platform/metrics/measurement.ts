/** Values of metrics, as processes exchange them: the JSON form of prom-client. */
import * as z from 'zod/mini';
import { catalog, type MetricName } from './catalog.ts';

const value = z.object({
  /** Of a histogram's bucket, sum or count. */
  metricName: z.optional(z.string()),
  labels: z.record(z.string(), z.union([z.string(), z.number()])),
  value: z.number(),
});

const measurement = z.object({
  name: z.string(),
  help: z.string(),
  type: z.string(),
  /** Values of the same metric and labels are added up; the label `process` keeps those of processes apart. */
  aggregator: z.literal('sum'),
  values: z.array(value),
});
export type Measurement = z.infer<typeof measurement>;

export const measurements = z.array(measurement);

type Labels<Name extends MetricName> = Record<(typeof catalog)[Name]['labels'][number], string>;

export function measure<Name extends MetricName>(
  name: Name,
  values: readonly { labels: Labels<Name>; value: number }[],
): Measurement {
  const { help, type } = catalog[name];
  return { name, help, type, aggregator: 'sum', values: [...values] };
}

export const ofProcess = (given: readonly Measurement[], process: string): Measurement[] =>
  given.map((one) => ({
    ...one,
    values: one.values.map((each) => ({ ...each, labels: { ...each.labels, process } })),
  }));

/** Metric samples and their Prometheus text format. */
import * as z from 'zod/mini';

const kinds = {
  handstamp_process: ['gauge', 'Each process that serves, by its id'],
  handstamp_requests_total: ['counter', 'Answered requests'],
  handstamp_request_seconds: ['histogram', 'How long requests took'],
  handstamp_batcher_waiting: ['gauge', 'Requests that wait for the next batch'],
  handstamp_pool_connections: ['gauge', 'Connections to the database, and who waits for one'],
  handstamp_event_loop_delay_seconds: ['gauge', 'How late the process was, over the last ten seconds'],
  handstamp_memory_bytes: ['gauge', 'Resident memory'],
  handstamp_cpu_seconds_total: ['counter', 'Time on a processor'],
  handstamp_jobs: ['gauge', 'Queued work: due, running, given up'],
} as const;

type Kind = keyof typeof kinds;

const isKind = (name: unknown): name is Kind => typeof name === 'string' && Object.hasOwn(kinds, name);

export const sample = z.strictObject({
  kind: z.custom<Kind>(isKind),
  /** Appended to the metric's name, such as `_bucket`. */
  suffix: z.optional(z.string()),
  labels: z.record(z.string(), z.string()),
  value: z.number(),
});
export type Sample = z.infer<typeof sample>;

export function withLabels(samples: readonly Sample[], labels: Record<string, string>): Sample[] {
  return samples.map((one) => ({ ...one, labels: { ...labels, ...one.labels } }));
}

/** Text format 0.0.4, which requires all samples of a metric to be grouped. */
export function formatSamples(samples: readonly Sample[]): string {
  const blocks = Object.entries(kinds).map(([name, [type, help]]) => {
    const lines = samples.filter(({ kind }) => kind === name).map(formatSample);
    return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
  });
  return blocks.join('');
}

function formatSample({ kind, suffix = '', labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([name, text]) => `${name}="${text.replace(/["\\\n]/g, '\\$&')}"`);
  return `${kind}${suffix}{${pairs.join(',')}} ${value}`;
}

export interface QueueDepth {
  waiting: number;
}

const depths = new Map<string, QueueDepth>();

/** The gauge of a queue's length. Each batcher updates the gauge with its own name. */
export function queueDepth(name: string): QueueDepth {
  const depth = depths.get(name) ?? { waiting: 0 };
  depths.set(name, depth);
  return depth;
}

export function queueSamples(): Sample[] {
  return [...depths].map(([batcher, { waiting }]) => ({
    kind: 'handstamp_batcher_waiting',
    labels: { batcher },
    value: waiting,
  }));
}

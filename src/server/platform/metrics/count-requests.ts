/** Counts responses and their durations from Node's diagnostics channels, which also report responses sent before any route. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Sample } from './sample.ts';

const STARTED = 'http.server.request.start';
const FINISHED = 'http.server.response.finish';
const BUCKET_BOUNDS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, Number.POSITIVE_INFINITY];
const PATH_GROUP = /^\/(api|static|photos|sandbox)\//;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

interface Durations {
  counts: number[];
  sum: number;
}

export function countRequests(server: Server): () => Sample[] {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const responses = new Map<string, number>();
  const durations = new Map<string, Durations>();

  subscribe(STARTED, (message) => {
    if (isExchange(message) && message.server === server) startedAt.set(message.request, performance.now());
  });
  subscribe(FINISHED, (message) => {
    if (!isExchange(message) || message.server !== server) return;
    const { request, response } = message;
    const key = `${request.method ?? ''} ${response.statusCode}`;
    responses.set(key, (responses.get(key) ?? 0) + 1);
    const seconds = (performance.now() - (startedAt.get(request) ?? performance.now())) / 1000;
    observe(durations, PATH_GROUP.exec(request.url ?? '')?.[1] ?? 'pages', seconds);
  });

  return () => [
    ...[...responses].map(([key, value]): Sample => {
      const [method = '', status = ''] = key.split(' ');
      return { kind: 'handstamp_requests_total', labels: { method, status }, value };
    }),
    ...[...durations].flatMap(([group, times]) => histogram(group, times)),
  ];
}

function observe(durations: Map<string, Durations>, group: string, seconds: number): void {
  const times = durations.get(group) ?? { counts: BUCKET_BOUNDS_SECONDS.map(() => 0), sum: 0 };
  durations.set(group, times);
  times.sum += seconds;
  const index = BUCKET_BOUNDS_SECONDS.findIndex((limit) => seconds <= limit);
  times.counts[index] = (times.counts[index] ?? 0) + 1;
}

function histogram(group: string, { counts, sum }: Durations): Sample[] {
  let total = 0;
  const buckets = BUCKET_BOUNDS_SECONDS.map((limit, index): Sample => {
    total += counts[index] ?? 0;
    const le = Number.isFinite(limit) ? String(limit) : '+Inf';
    return { kind: 'handstamp_request_seconds', suffix: '_bucket', labels: { what: group, le }, value: total };
  });
  return [
    ...buckets,
    { kind: 'handstamp_request_seconds', suffix: '_sum', labels: { what: group }, value: sum },
    { kind: 'handstamp_request_seconds', suffix: '_count', labels: { what: group }, value: total },
  ];
}

/** Checks the documented shape of Node's diagnostics messages. */
function isExchange(message: unknown): message is Exchange {
  return typeof message === 'object' && message !== null && 'request' in message && 'server' in message;
}

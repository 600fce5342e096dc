/** Counts what a server answers, also what is answered before any route, by what Node itself reports of each request. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Sample } from './sample.ts';

const STARTED = 'http.server.request.start';
const FINISHED = 'http.server.response.finish';
const UP_TO_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, Number.POSITIVE_INFINITY];
const GROUP = /^\/(api|static|photos|sandbox)\//;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

interface Times {
  counts: number[];
  sum: number;
}

export function countRequests(counted: Server): () => Sample[] {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const answered = new Map<string, number>();
  const took = new Map<string, Times>();

  subscribe(STARTED, (message) => {
    if (isExchange(message) && message.server === counted) startedAt.set(message.request, performance.now());
  });
  subscribe(FINISHED, (message) => {
    if (!isExchange(message) || message.server !== counted) return;
    const { request, response } = message;
    const key = `${request.method ?? ''} ${response.statusCode}`;
    answered.set(key, (answered.get(key) ?? 0) + 1);
    const seconds = (performance.now() - (startedAt.get(request) ?? performance.now())) / 1000;
    note(took, GROUP.exec(request.url ?? '')?.[1] ?? 'pages', seconds);
  });

  return () => [
    ...[...answered].map(([key, value]): Sample => {
      const [method = '', status = ''] = key.split(' ');
      return { kind: 'handstamp_requests_total', labels: { method, status }, value };
    }),
    ...[...took].flatMap(([what, times]) => histogram(what, times)),
  ];
}

function note(took: Map<string, Times>, what: string, seconds: number): void {
  const times = took.get(what) ?? { counts: UP_TO_SECONDS.map(() => 0), sum: 0 };
  took.set(what, times);
  times.sum += seconds;
  const place = UP_TO_SECONDS.findIndex((limit) => seconds <= limit);
  times.counts[place] = (times.counts[place] ?? 0) + 1;
}

function histogram(what: string, { counts, sum }: Times): Sample[] {
  let total = 0;
  const buckets = UP_TO_SECONDS.map((limit, place): Sample => {
    total += counts[place] ?? 0;
    const le = Number.isFinite(limit) ? String(limit) : '+Inf';
    return { kind: 'handstamp_request_seconds', suffix: '_bucket', labels: { what, le }, value: total };
  });
  return [
    ...buckets,
    { kind: 'handstamp_request_seconds', suffix: '_sum', labels: { what }, value: sum },
    { kind: 'handstamp_request_seconds', suffix: '_count', labels: { what }, value: total },
  ];
}

/** Node's own message; its shape is documented. */
function isExchange(message: unknown): message is Exchange {
  return typeof message === 'object' && message !== null && 'request' in message && 'server' in message;
}

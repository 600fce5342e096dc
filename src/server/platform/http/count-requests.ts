/** Times responses by Node's diagnostics channels, which also report responses sent before any route. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ProcessMetrics } from '#server/platform/metrics/process-metrics.ts';

const STARTED = 'http.server.request.start';
const FINISHED = 'http.server.response.finish';
/** Of requests that no route answered: unknown addresses, and those denied before the router. */
const NO_ROUTE = 'none';

interface Exchange {
  request: TimedRequest;
  response: ServerResponse;
  server: Server;
}

/** Kept on the request: a WeakMap of every request would cost the garbage collector more. */
const TIMED = Symbol('timed');

interface TimedRequest extends IncomingMessage {
  [TIMED]?: { at: number; route: string };
}

export function countRequests(app: FastifyInstance, metrics: Pick<ProcessMetrics, 'recordResponse'>): void {
  const { server } = app;

  subscribe(STARTED, (message) => {
    if (isExchange(message) && message.server === server)
      message.request[TIMED] = { at: performance.now(), route: NO_ROUTE };
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const raw: TimedRequest = request.raw;
    if (raw[TIMED]) raw[TIMED].route = request.routeOptions.url ?? NO_ROUTE;
    done();
  });
  subscribe(FINISHED, (message) => {
    if (!isExchange(message) || message.server !== server) return;
    const { request, response } = message;
    const timed = request[TIMED];
    if (!timed) return;
    const { at, route } = timed;
    const seconds = (performance.now() - at) / 1000;
    metrics.recordResponse({ method: request.method ?? '', route, status: response.statusCode, seconds });
  });
}

/** Checks the documented shape of Node's diagnostics messages. */
function isExchange(message: unknown): message is Exchange {
  return typeof message === 'object' && message !== null && 'request' in message && 'server' in message;
}

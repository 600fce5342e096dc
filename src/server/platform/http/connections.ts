/** Timeouts and limits for connections. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/app-error.ts';
import { sendAndClose } from './answer-errors.ts';

const HEADERS_MS = 10_000;
const BODY_MS = 30_000;
/** Enough for ten large photos over a mobile uplink. */
const UPLOAD_MS = 120_000;
/** Longer than a reverse proxy's keep-alive, so that it never reuses a connection that is closing. */
const KEEP_ALIVE_MS = 65_000;
/** Closes connections of clients that do not read the response. */
const SILENCE_MS = 90_000;

/** Options for Fastify and Node's HTTP server. */
export const connectionTimes = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  requestTimeout: UPLOAD_MS,
  connectionTimeout: SILENCE_MS,
  http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 1_000 },
};

const URL_LENGTH_MAX = 8 * 1024;
const HEADER_COUNT_MAX = 100;

/** A callback, like every hook that all requests pass: a promise in each would slow a checkout. */
export function limitRequests(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const isLong = (raw.url?.length ?? 0) > URL_LENGTH_MAX;
    // rawHeaders alternates names and values. Node's own limit silently drops headers.
    if (!isLong && raw.rawHeaders.length <= 2 * HEADER_COUNT_MAX) return done();
    reply.code(isLong ? 414 : 431).send(new AppError('request.too-large').body);
  });
}

/** Node has a single request timeout, which has to allow uploads. Other bodies get a shorter one. */
export function endSlowBodies(
  app: FastifyInstance,
  { withinMs = BODY_MS, headers }: { withinMs?: number; headers: Readonly<Record<string, string>> },
): void {
  const timeout = { status: '408 Request Timeout', code: 'request.too-slow', headers } as const;
  app.addHook('preParsing', ({ routeOptions, raw }, _reply, payload, done) => {
    // Injected requests, such as those of the demo seed, have no socket.
    if (!routeOptions.config.endpoint?.upload && !raw.complete && raw.socket instanceof Socket) {
      const timer = setTimeout(() => sendAndClose(raw.socket, timeout), withinMs);
      payload.once('close', () => clearTimeout(timer));
      payload.once('end', () => clearTimeout(timer));
    }
    done(null, payload);
  });
}

/**
 * Accepts every connection by evicting the oldest one that wastes its slot: first idle connections, then incomplete requests,
 * then clients that do not read the response. Connections whose response is in progress stay; if there are no others, the new
 * connection is closed.
 */
export function evictOldest(server: Server, maxConnections: number): void {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  const receiving = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= maxConnections) {
      const evicted = first(idle) ?? first(receiving) ?? firstUnread(open) ?? socket;
      // Not on 'close': several connections in the same tick would all evict the same socket.
      remove(evicted);
      evicted.destroy();
      if (evicted === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => remove(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!open.has(socket)) return;
    idle.delete(socket);
    if (hasBody(request)) {
      receiving.add(socket);
      request.once('end', () => receiving.delete(socket));
    }
    response.once('close', () => {
      receiving.delete(socket);
      if (open.has(socket)) idle.add(socket);
    });
  });

  function remove(socket: Socket): void {
    for (const sockets of [open, idle, receiving]) sockets.delete(socket);
  }
}

/** `request.complete` does not help: it stays false for a request without a body until the response is sent. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const first = (sockets: Set<Socket>): Socket | undefined => sockets.values().next().value;

function firstUnread(sockets: Set<Socket>): Socket | undefined {
  for (const socket of sockets) if (socket.writableLength > 0) return socket;
  return undefined;
}

const SWEEP_MS = 100;

/**
 * Lets a closing server finish. Closing ends only the connections that are idle at that moment; one whose response was in
 * progress becomes idle later and would keep the server open.
 */
export function endIdleConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS).unref();
    app.server.once('close', () => clearInterval(timer));
  });
}

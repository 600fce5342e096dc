/** How long, how much and how many: what a connection may ask of the process before it is ended. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bodyTooLarge, requestTooSlow } from '#contract/sentences.ts';
import { endWith } from './answer-errors.ts';

const HEADERS_MS = 10_000;
const BODY_MS = 30_000;
/** Ten large photos over a phone's uplink. */
const UPLOAD_MS = 120_000;
/** Longer than a proxy in front keeps its connections, so that it never sends a request on one that is just ending. */
const KEEP_ALIVE_MS = 65_000;
/** Nothing goes in or out for so long: somebody who does not read the answer. */
const SILENCE_MS = 90_000;

/** As the framework and Node take them. */
export const connectionTimes = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  requestTimeout: UPLOAD_MS,
  connectionTimeout: SILENCE_MS,
  http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 1_000 },
};

const ADDRESS_MAX = 8 * 1024;
const HEADERS_MAX = 100;

export function limitRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if ((raw.url?.length ?? 0) > ADDRESS_MAX) return reply.code(414).send({ msg: bodyTooLarge });
    // Names and values by turns. Node itself would leave out, without a word, what is too many.
    if (raw.rawHeaders.length > 2 * HEADERS_MAX) return reply.code(431).send({ msg: bodyTooLarge });
  });
}

/** Node knows one time for all requests, and that is an upload's. `headers`: what every answer carries. */
export function endSlowBodies(
  app: FastifyInstance,
  { withinMs = BODY_MS, headers }: { withinMs?: number; headers: Readonly<Record<string, string>> },
): void {
  const late = { status: '408 Request Timeout', msg: requestTooSlow, headers };
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.routeOptions.config.endpoint?.upload || request.raw.complete) return payload;
    // What this process asks of itself, as the demo does while it is made, comes over no connection.
    if (!(request.raw.socket instanceof Socket)) return payload;
    const timer = setTimeout(() => endWith(request.raw.socket, late), withinMs);
    payload.once('close', () => clearTimeout(timer));
    payload.once('end', () => clearTimeout(timer));
    return payload;
  });
}

/**
 * Lets everybody in, however many are there already: whoever has been there longest without having asked for anything goes, then
 * whoever has not sent all of a request, then whoever does not read. A thousand of them cost each other their places, and nobody else's.
 * Whose answer is being made stays: only where that is everybody is the newcomer turned away.
 */
export function endOldest(server: Server, most: number): void {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  const sending = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const goes = first(idle) ?? first(sending) ?? unread(open) ?? socket;
      // At once, not when it says that it is closed: those who come in the same turn would all throw out the same one.
      forget(goes);
      goes.destroy();
      if (goes === socket) return;
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (!open.has(socket)) return;
    idle.delete(socket);
    if (hasBody(request)) {
      sending.add(socket);
      request.once('end', () => sending.delete(socket));
    }
    response.once('close', () => {
      sending.delete(socket);
      if (open.has(socket)) idle.add(socket);
    });
  });

  function forget(socket: Socket): void {
    for (const sockets of [open, idle, sending]) sockets.delete(socket);
  }
}

/** Node holds every request for unfinished when it comes, and one without a body until it is answered, since nobody reads it. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const first = (sockets: Set<Socket>): Socket | undefined => sockets.values().next().value;

function unread(sockets: Set<Socket>): Socket | undefined {
  for (const socket of sockets) if (socket.writableLength > 0) return socket;
  return undefined;
}

const EVERY_MS = 100;

/**
 * Lets a closing server end. Closing takes away the connections that are idle at that moment; one whose answer was on its
 * way becomes idle a little later, and would be waited for as long as its visitor keeps it.
 */
export function endIdleConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const sweeping = setInterval(() => app.server.closeIdleConnections(), EVERY_MS).unref();
    app.server.once('close', () => clearInterval(sweeping));
  });
}

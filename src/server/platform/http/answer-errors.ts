/** The one place that turns a thrown error into an answer: `{ msg }` and a status. */

import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  bodyTooLarge,
  notFoundPage,
  notJson,
  outage,
  paymentsUnreachable,
  requestTooSlow,
  tooBusy,
  unreadableBody,
} from '#contract/sentences.ts';
import { AppError, type ErrorKind } from '#server/platform/app-error.ts';
import { QueueFullError } from '#server/platform/batching/batcher.ts';
import { isUnavailable } from '#server/platform/database.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';

const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  'signed-out': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'wrong-type': 415,
  'too-many': 429,
  unavailable: 503,
};

const PROVIDER_RETRY_SECONDS = 30;
const BUSY_RETRY_SECONDS = 3;

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error | FastifyError, request, reply) => {
    const expected = expectedError(error);
    const refusal = expected ?? errorReplyOf(error);
    if (!refusal) return answerBug(error, request, reply);

    // Whoever has hung up meanwhile is nothing to note: in a rush they are many, too.
    if (!expected && !request.raw.socket.destroyed) request.log.warn({ err: error }, 'request refused');
    if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
    return reply.code(STATUS[refusal.kind]).send({ msg: refusal.message, ...refusal.facts });
  });

  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ msg: notFoundPage }));
}

function answerBug(error: Error, request: FastifyRequest, reply: FastifyReply) {
  request.log.error({ err: error }, 'unexpected error');
  return reply.code(500).send({ msg: outage, requestId: request.id });
}

/** Those of which nobody needs to know: in a rush they are many. */
function expectedError(error: Error | FastifyError): AppError | null {
  if (error instanceof QueueFullError) return new AppError('unavailable', tooBusy, BUSY_RETRY_SECONDS);
  return error instanceof AppError ? error : null;
}

/** What the framework or a provider refused, in our words; `null` for a bug. */
function errorReplyOf(error: Error | FastifyError): AppError | null {
  if (error instanceof ProcessorUnreachable)
    return new AppError('unavailable', paymentsUnreachable, PROVIDER_RETRY_SECONDS);
  if (isUnavailable(error)) return new AppError('unavailable', tooBusy, BUSY_RETRY_SECONDS);
  if (error instanceof ProcessorDenied) return new AppError('unavailable', paymentsUnreachable, PROVIDER_RETRY_SECONDS);

  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new AppError('too-large', bodyTooLarge);
  if (status === 415) return new AppError('wrong-type', notJson);
  if (status !== undefined && status >= 400 && status < 500) return new AppError('invalid', unreadableBody);
  return null;
}

type Headers = Readonly<Record<string, string>>;

/** @param headers what every answer carries */
export function answerBrokenRequest(headers: Headers) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // The other side has gone: there is nobody to answer.
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();

    const [status, msg] = WHY[error.code ?? ''] ?? BROKEN;
    endWith(socket, { status, msg, headers });
  };
}

const BROKEN = ['400 Bad Request', unreadableBody] as const;
const WHY: Readonly<Record<string, readonly [status: string, msg: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', bodyTooLarge],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', requestTooSlow],
};

interface LastAnswer {
  status: string;
  msg: string;
  headers: Headers;
}

/** Whoever is told so does not get to stay until they have read it. */
export function endWith(socket: Socket, { status, msg, headers }: LastAnswer): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ msg });
  const own = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries({ ...headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

/** For the router: it would repeat an address like `/%zz` as it came, and no hook has set the headers yet. */
export function answerBrokenAddress(headers: Headers) {
  const all = { ...headers, 'cache-control': 'no-store' };
  return (_error: Error, _request: unknown, reply: FastifyReply) =>
    void reply.code(400).headers(all).send({ msg: unreadableBody });
}

/** Turns every thrown error into a reply: a status and `{ code, params, msg }`. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#messages/errors.ts';
import { AppError } from '#server/platform/app-error.ts';
import { QueueFullError } from '#server/platform/batching/batcher.ts';
import { isUnavailable } from '#server/platform/database.ts';
import { FilesUnreachable } from '#server/platform/ports/files-unreachable.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { statusOf } from './error-status.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the guard found to call; null before that, and for anyone. */
    callerId: string | null;
  }
}

const API = '/api/v1/';
const PROCESSOR_RETRY_SECONDS = 30;
const BUSY_RETRY_SECONDS = 3;
const FILES_RETRY_SECONDS = 10;

export function answerErrors(app: FastifyInstance): void {
  app.decorateRequest('callerId', null);
  app.setErrorHandler((error: Error | FastifyError, request, reply) => {
    const expected = expectedError(error);
    const denial = expected ?? mappedError(error);
    if (!denial) return answerBug(error, request, reply);

    // Clients that disconnected are not logged: during a sale there are many.
    if (!expected && !request.raw.socket.destroyed) request.log.warn({ err: error }, 'request refused');
    if (expected && isSecurityEvent(expected, request)) logDenial(expected, request);
    const { retryAfterSeconds } = denial.params;
    if (typeof retryAfterSeconds === 'number') reply.header('retry-after', retryAfterSeconds);
    const status = statusOf(denial.code);
    if (status === 401 && isOfApi(request)) reply.header('www-authenticate', 'Bearer');
    return reply.code(status).send(bodyOf(denial, request));
  });

  app.setNotFoundHandler((request, reply) => reply.code(404).send(bodyOf(new AppError('page.not-found'), request)));
}

export const isOfApi = ({ url }: { url: string }): boolean => url.startsWith(API);

/** The public API has a shape of its own, since the app's calls keep that of their first release. */
export function bodyOf({ body }: AppError, request: { url: string; id: string }) {
  const { code, params, msg } = body;
  return isOfApi(request) ? { error: { code, message: msg, params }, request_id: request.id } : body;
}

function answerBug(error: Error, request: FastifyRequest, reply: FastifyReply) {
  request.log.error({ err: error }, 'unexpected error');
  const body = bodyOf(new AppError('server.outage'), request);
  return reply.code(500).send(isOfApi(request) ? body : { ...body, requestId: request.id });
}

const SECURITY_STATUS = new Set([400, 401, 403, 413, 415, 429]);
const TOO_MUCH: ReadonlySet<ErrorCode> = new Set([
  'checkout.network-limit',
  'checkout.too-many-open',
  'waiting-room.network-limit',
]);

/** What the caller got wrong, may not do, or tried too often. Other denials are part of normal operation. */
function isSecurityEvent({ code }: AppError, { routeOptions }: FastifyRequest): boolean {
  const status = statusOf(code);
  // Of another organization, or for operators only: the answer is that of something that doesn't exist.
  const { access } = routeOptions.config.endpoint ?? {};
  const isHidden = status === 404 && (access === 'organizer' || access === 'admin' || access === 'key');
  return SECURITY_STATUS.has(status) || TOO_MUCH.has(code) || isHidden;
}

/** The route's pattern, because a URL can contain secrets. */
function logDenial({ code }: AppError, { log, method, routeOptions, callerId }: FastifyRequest): void {
  log.warn({ code, route: `${method} ${routeOptions.url ?? ''}`, ...(callerId && { subject: callerId }) }, 'denied');
}

/** Errors that are no sign of a fault, and frequent during a sale. */
function expectedError(error: Error | FastifyError): AppError | null {
  if (error instanceof QueueFullError) return new AppError('server.busy', { retryAfterSeconds: BUSY_RETRY_SECONDS });
  return error instanceof AppError ? error : null;
}

/** Maps errors of Fastify, PostgreSQL and Stripe; `null` for a bug. */
function mappedError(error: Error | FastifyError): AppError | null {
  if (error instanceof ProcessorUnreachable)
    return new AppError('payments.unreachable', { retryAfterSeconds: PROCESSOR_RETRY_SECONDS });
  if (isUnavailable(error)) return new AppError('server.busy', { retryAfterSeconds: BUSY_RETRY_SECONDS });
  if (error instanceof ProcessorDenied)
    return new AppError('payments.unreachable', { retryAfterSeconds: PROCESSOR_RETRY_SECONDS });

  if (error instanceof FilesUnreachable)
    return new AppError('photo.unavailable', { retryAfterSeconds: FILES_RETRY_SECONDS });

  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new AppError('request.too-large');
  if (status === 415) return new AppError('request.not-json');
  if (status !== undefined && status >= 400 && status < 500) return new AppError('request.unreadable');
  return null;
}

type Headers = Readonly<Record<string, string>>;

/** @param headers sent with every response */
export function answerBrokenRequest(headers: Headers) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();

    const [status, code] = REPLIES[error.code ?? ''] ?? BAD_REQUEST;
    sendAndClose(socket, { status, code, headers });
  };
}

const BAD_REQUEST = ['400 Bad Request', 'request.unreadable'] as const;
const REPLIES: Readonly<Record<string, readonly [status: string, code: FinalCode]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'request.too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request.too-slow'],
};

type FinalCode = 'request.unreadable' | 'request.too-large' | 'request.too-slow' | 'server.outage';

interface FinalResponse {
  status: string;
  code: FinalCode;
  headers: Headers;
}

/** Sends a final response and destroys the socket, even if the client never reads it. */
export function sendAndClose(socket: Socket, { status, code, headers }: FinalResponse): void {
  if (socket.destroyed) return;
  const body = JSON.stringify(new AppError(code).body);
  const defaults = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries({ ...headers, ...defaults }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

/** Fastify's own reply would echo an undecodable URL such as `/%zz`, without our headers: no hook has run yet. */
export function answerBrokenAddress(headers: Headers) {
  const allHeaders = { ...headers, 'cache-control': 'no-store' };
  return (_error: Error, _request: unknown, reply: FastifyReply) =>
    void reply.code(400).headers(allHeaders).send(new AppError('request.unreadable').body);
}

/** HTTP server for Stripe's API and `/_sandbox/*`. Listens on the loopback interface only. */

import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Core } from '../core.ts';
import { sqlState } from '../database.ts';
import { newId } from '../ids.ts';
import { controlRoutes } from './control.ts';
import {
  ApiError,
  idempotencyKeyInUse,
  invalidRequest,
  lockTimeout,
  serverError,
  tooManyRequests,
  unrecognizedUrl,
} from './errors.ts';
import { type ApiResponse, errorResult, handleCall } from './handle-call.ts';
import { formOfUpload } from './multipart-body.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_UPLOAD_BYTES = 6 * 1024 * 1024;
const LOCK_NOT_AVAILABLE = '55P03';

export function createApiServer(core: Core): FastifyInstance {
  const app = Fastify({
    logger: { level: 'error', stream: process.stderr },
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (_error, request, reply) => {
      void send(reply, errorResponse(unrecognizedUrl(request.method, request.url)));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES },
    (request: FastifyRequest, body: Buffer, done) =>
      done(null, formOfUpload(body, request.headers['content-type'] ?? '')),
  );
  app.setNotFoundHandler((request, reply) =>
    send(reply, errorResponse(unrecognizedUrl(request.method, pathOf(request))), request),
  );
  app.setErrorHandler((error, request, reply) => send(reply, errorResponse(toApiError(error, request)), request));
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => core.inflightCalls.track(handleRequest(core, route, request, reply)),
    });
  }
  controlRoutes(app, core);
  return app;
}

async function handleRequest(core: Core, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const fault = core.faults.consumeForCall(request.method, pathOf(request));
  const respond = (options?: { failAfterward: boolean }) => callAndRecord(core, route, request, options);
  const respondWithError = async (error: ApiError) => {
    const response = errorResponse(error);
    record(core, request, response);
    await send(reply, response, request);
  };
  switch (fault?.mode) {
    case undefined:
      return await send(reply, await respond(), request);
    case 'error_before':
      return await respondWithError(serverError());
    case 'error_after':
      return await send(reply, await respond({ failAfterward: true }), request);
    case 'drop_before':
      record(core, request, null);
      return dropConnection(reply);
    case 'drop_after':
      await respond();
      return dropConnection(reply);
    case 'slow':
      // Sleeps before the call runs, so that a retry can overtake the call that timed out.
      await sleep(fault?.ms);
      return await send(reply, await respond(), request);
    case 'status:429':
      return await respondWithError(tooManyRequests());
    case 'conflict':
      return await respondWithError(idempotencyKeyInUse());
    case 'truncate':
      return truncate(reply, await respond());
  }
}

async function callAndRecord(
  core: Core,
  route: Route,
  request: FastifyRequest,
  options?: { failAfterward: boolean },
): Promise<ApiResponse> {
  const body = bodyOf(request);
  const response = await handleCall(
    core,
    route,
    {
      method: request.method,
      path: pathOf(request),
      query: request.url.slice(pathOf(request).length + 1),
      body,
      pathParams: pathParamsOf(request.params),
      authorization: request.headers.authorization,
      idempotencyKey: firstHeader(request.headers['idempotency-key']),
      account: firstHeader(request.headers['stripe-account']) ?? firstHeader(request.headers['stripe-context']),
    },
    options,
  );
  record(core, request, response);
  return response;
}

/** Records status 0 when the connection was closed without a response. */
function record(core: Core, request: FastifyRequest, response: ApiResponse | null): void {
  core.recorder.add({
    method: request.method,
    path: request.url,
    requestHeaders: request.headers,
    requestBody: bodyOf(request),
    status: response?.status ?? 0,
    responseBody: response?.body ?? '',
  });
}

async function send(reply: FastifyReply, response: ApiResponse, request?: FastifyRequest): Promise<void> {
  const echoed = (name: string) => firstHeader(request?.headers[name]);
  const headers = {
    'content-type': 'application/json',
    'request-id': response.requestId,
    'stripe-version': echoed('stripe-version'),
    'idempotency-key': echoed('idempotency-key'),
    'original-request': response.originalRequestId ?? undefined,
    'idempotent-replayed': response.originalRequestId ? 'true' : undefined,
    'stripe-should-retry': response.shouldRetry === null ? undefined : String(response.shouldRetry),
  };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.header(name, value);
  await reply.code(response.status).send(response.body);
}

function dropConnection(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** Sends the full content length, half of the body, and closes the connection. */
function truncate(reply: FastifyReply, response: ApiResponse): void {
  reply.hijack();
  const body = Buffer.from(response.body);
  reply.raw.writeHead(response.status, { 'content-type': 'application/json', 'content-length': body.length });
  reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => reply.raw.destroy());
}

function errorResponse(error: ApiError): ApiResponse {
  const { status, body } = errorResult(error);
  return {
    status,
    body,
    requestId: newId('req'),
    originalRequestId: null,
    shouldRetry: status === 409 ? true : null,
  };
}

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (sqlState(error) === LOCK_NOT_AVAILABLE) return lockTimeout();
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500)
    return invalidRequest(error instanceof Error ? error.message : 'Bad request', { status });
  // A bug in the sandbox: log the stack trace and respond as Stripe does.
  request.log.error({ err: error }, 'sandbox request failed');
  return new ApiError(500, { type: 'api_error', message: 'An unknown error occurred' });
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? '';

const bodyOf = ({ body }: FastifyRequest) => (typeof body === 'string' ? body : '');

const firstHeader = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

function pathParamsOf(params: unknown): Record<string, string> {
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    : {};
}

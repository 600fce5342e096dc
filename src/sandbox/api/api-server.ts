/** The API's own port: Stripe's routes, and `/_sandbox/*`. It listens on the loopback address only. */

import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Core } from '../core.ts';
import { sqlState } from '../database.ts';
import { newId } from '../ids.ts';
import { type Answer, answerCall, refused } from './handle-call.ts';
import { controlRoutes } from './control.ts';
import {
  ApiRefusal,
  invalidRequest,
  keyInUse,
  lockTimeout,
  outage,
  tooManyRequests,
  unrecognizedUrl,
} from './errors.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

const LARGEST_BODY = 1024 * 1024;
const LOCK_NOT_AVAILABLE = '55P03';

export function apiListener(core: Core): FastifyInstance {
  const app = Fastify({
    logger: { level: 'error', stream: process.stderr },
    bodyLimit: LARGEST_BODY,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (_error, request, reply) => {
      void send(reply, refusalAnswer(unrecognizedUrl(request.method, request.url)));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request, reply) =>
    send(reply, refusalAnswer(unrecognizedUrl(request.method, pathOf(request))), request),
  );
  app.setErrorHandler((error, request, reply) => send(reply, refusalAnswer(asRefusal(error, request)), request));
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => core.calls.track(serve(core, route, request, reply)),
    });
  }
  controlRoutes(app, core);
  return app;
}

async function serve(core: Core, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const fault = core.faults.takeForCall(request.method, pathOf(request));
  const answerNow = (options?: { failAfterwards: boolean }) => callAndRecord(core, route, request, options);
  const refuse = async (refusal: ApiRefusal) => {
    const answer = refusalAnswer(refusal);
    record(core, request, answer);
    await send(reply, answer, request);
  };
  switch (fault?.mode) {
    case undefined:
      return await send(reply, await answerNow(), request);
    case 'error_before':
      return await refuse(outage());
    case 'error_after':
      return await send(reply, await answerNow({ failAfterwards: true }), request);
    case 'drop_before':
      record(core, request, null);
      return drop(reply);
    case 'drop_after':
      await answerNow();
      return drop(reply);
    case 'slow':
      // Before the work: a caller who has given up by then is overtaken by its own call.
      await sleep(fault?.ms);
      return await send(reply, await answerNow(), request);
    case 'status:429':
      return await refuse(tooManyRequests());
    case 'conflict':
      return await refuse(keyInUse());
    case 'truncate':
      return truncate(reply, await answerNow());
  }
}

async function callAndRecord(
  core: Core,
  route: Route,
  request: FastifyRequest,
  options?: { failAfterwards: boolean },
): Promise<Answer> {
  const body = bodyOf(request);
  const answer = await answerCall(
    core,
    route,
    {
      method: request.method,
      path: pathOf(request),
      query: request.url.slice(pathOf(request).length + 1),
      body,
      segments: segmentsOf(request.params),
      authorization: request.headers.authorization,
      idempotencyKey: one(request.headers['idempotency-key']),
      account: one(request.headers['stripe-account']) ?? one(request.headers['stripe-context']),
    },
    options,
  );
  record(core, request, answer);
  return answer;
}

/** A connection that was closed without an answer is recorded with the status 0. */
function record(core: Core, request: FastifyRequest, answer: Answer | null): void {
  core.recording.add({
    method: request.method,
    path: request.url,
    requestHeaders: request.headers,
    requestBody: bodyOf(request),
    status: answer?.status ?? 0,
    responseBody: answer?.body ?? '',
  });
}

async function send(reply: FastifyReply, answer: Answer, request?: FastifyRequest): Promise<void> {
  const echoed = (name: string) => one(request?.headers[name]);
  const headers = {
    'content-type': 'application/json',
    'request-id': answer.requestId,
    'stripe-version': echoed('stripe-version'),
    'idempotency-key': echoed('idempotency-key'),
    'original-request': answer.replayOf ?? undefined,
    'idempotent-replayed': answer.replayOf ? 'true' : undefined,
    'stripe-should-retry': answer.shouldRetry === null ? undefined : String(answer.shouldRetry),
  };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.header(name, value);
  await reply.code(answer.status).send(answer.body);
}

function drop(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** Promises the whole body, sends half of it, and hangs up. */
function truncate(reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  const whole = Buffer.from(answer.body);
  reply.raw.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': whole.length });
  reply.raw.write(whole.subarray(0, Math.floor(whole.length / 2)), () => reply.raw.destroy());
}

function refusalAnswer(refusal: ApiRefusal): Answer {
  const { status, answer } = refused(refusal);
  return { status, body: answer, requestId: newId('req'), replayOf: null, shouldRetry: status === 409 ? true : null };
}

function asRefusal(error: unknown, request: FastifyRequest): ApiRefusal {
  if (error instanceof ApiRefusal) return error;
  if (sqlState(error) === LOCK_NOT_AVAILABLE) return lockTimeout();
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500)
    return invalidRequest(error instanceof Error ? error.message : 'Bad request', { status });
  // A bug in the sandbox: its developer needs the trace, its caller gets Stripe's words.
  request.log.error({ err: error }, 'the sandbox failed');
  return new ApiRefusal(500, { type: 'api_error', message: 'An unknown error occurred' });
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? '';

const bodyOf = ({ body }: FastifyRequest) => (typeof body === 'string' ? body : '');

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

function segmentsOf(params: unknown): Record<string, string> {
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    : {};
}

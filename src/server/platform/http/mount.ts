/** Mounts a contract endpoint on a use case: guards, input, and a reply limited to the fields in the contract. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, AnyEndpoint, InputOf, ReplyOf } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Idempotency } from '#server/platform/idempotency/idempotency.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import { type Cookies, cookiesOf, isFromBrowser } from './cookies.ts';
import { type Callers, claimsOf, denyCrossSite, type Guard, type Guards } from './guards.ts';
import { keepAnswer, repeatSafely, replay } from './idempotent-requests.ts';
import { parseInput, readInput } from './read-input.ts';
import { endUpload, type UploadedFile } from './upload.ts';

/** What a handler gets besides its input. */
export type Call<A extends Access> = Callers[A] & {
  ip: string;
  isFromBrowser: boolean;
  userAgent: string | undefined;
  /** The version that a change is based on, as `If-Match` says. */
  ifMatch: string | undefined;
  /** Of a request with an `Idempotency-Key`: the same if it runs again. */
  idempotencyId: string | null;
  cookies: Cookies;
  /** Empty unless the endpoint accepts uploads. */
  files: readonly UploadedFile[];
};

declare module 'fastify' {
  interface FastifyInstance {
    handstamp: { guards: Guards; publicUrl: string; idempotency: Idempotency };
  }
  interface FastifyContextConfig {
    /** The contract endpoint of the route. */
    endpoint?: AnyEndpoint;
  }
}

const LARGE_BODY_LIMIT = 1024 * 1024;

export function mount<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: InputOf<E>, call: Call<E['access']>) => Promise<ReplyOf<E>>,
): void {
  const { guards, publicUrl } = app.handstamp;
  const guard: Guard<E['access']> | undefined = guards[endpoint.access];
  if (!guard) throw new Error(`${endpoint.path}: no guard for access "${endpoint.access}"`);

  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.isLarge && { bodyLimit: LARGE_BODY_LIMIT }),
    ...(endpoint.upload && { onSend: endUpload }),
    ...(endpoint.access === 'key' && { onSend: keepAnswer }),
    async handler(request, reply) {
      // The multipart parser applies to every route, and leaves the body unread unless the handler reads it.
      if (!endpoint.upload && request.isMultipart()) throw new AppError('request.not-json');
      const cookies = cookiesOf(request, reply, publicUrl.startsWith('https:'));
      // A browser sends no key by itself, so a page of another site can't use one.
      const provenance =
        endpoint.method === 'GET' || endpoint.access === 'key'
          ? 'same-site'
          : denyCrossSite(request, publicUrl, cookies.read('XSRF-TOKEN'));

      // Before validation, so that an unauthenticated caller learns nothing from its errors.
      const { caller, isBound, isViewing } = await guard(
        claimsOf(request, reply, { cookies, eventId: eventIdOf(request) }),
      );
      if (isBound && provenance === 'silent') throw new AppError('request.cross-site');
      if (isViewing && endpoint.method !== 'GET' && !endpoint.worksWhileViewing) throw new AppError('auth.view-only');

      const { fields, files } = await readInput(endpoint, request, request.callerId ?? request.ip);
      const input = parseInput(endpoint, fields);
      const sentBefore = 'key' in caller ? await repeatSafely(app.handstamp, request, { ...caller.key, fields }) : null;
      if (sentBefore?.answer) return replay(reply, sentBefore.answer);
      const call = {
        ...caller,
        ip: request.ip,
        isFromBrowser: isFromBrowser(request),
        userAgent: request.headers['user-agent'],
        ifMatch: request.headers['if-match'],
        idempotencyId: sentBefore?.id ?? null,
        cookies,
        files,
      };
      return send(endpoint, reply, await handler(input, call));
    },
  });
}

/** Attendant grants belong to an event, whose id is in the body. */
function eventIdOf(request: FastifyRequest): string | null {
  const body: unknown = request.body;
  const eventId = typeof body === 'object' && body !== null && 'eventId' in body ? body.eventId : null;
  return typeof eventId === 'string' && PUBLIC_ID.test(eventId) ? eventId : null;
}

function send(endpoint: AnyEndpoint, reply: FastifyReply, answer: unknown) {
  return reply.send(endpoint.reply.parse(answer));
}

/** Mounts a route that gets the raw body, for signatures that cover bytes. */
export function mountRaw(
  app: FastifyInstance,
  path: string,
  handler: (body: Buffer, header: (name: string) => string | undefined) => Promise<{ msg: string }>,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGE_BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(path, async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return handler(body, (name) => [request.headers[name]].flat()[0]);
    });
  });
}

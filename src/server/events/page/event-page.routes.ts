/** Serves public events: cached responses before the framework sees the request, the rest through routes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicEvent } from '#contract/app/events.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { TimedCache } from '#server/platform/cache.ts';
import type { Changes } from '#server/platform/ports/changes.ts';
import type { PublishedEvents } from './page-cache.ts';
import { type ResponseVariants, selectResponse } from './response-variants.ts';
import type { ViewCounter } from './view-counter.ts';

const EVENT_ID_LENGTH = 16;
const QUESTION_MARK_CODE = 63;
const IF_NONE_MATCH = 'if-none-match';
const ACCEPT_ENCODING = 'accept-encoding';

export function publishedRoutes(
  app: FastifyInstance,
  published: PublishedEvents,
  changes: Changes,
  views: ViewCounter,
): void {
  app.get<{ Params: { eventId: string } }>(publicEvent.path, async (request, reply) => {
    const variants = await published.replies.get(request.params.eventId);
    if (!variants) throw new AppError('event.not-found');
    return sendPublished(request, reply, variants);
  });

  // Read your own writes: an organizer's next read in this process shows the change. Other processes follow a moment later.
  app.addHook('onSend', async ({ method, url }) => {
    if (method !== 'GET' && url.startsWith('/api/protected/')) await changes.catchUp();
  });

  serveFromCache(app, published, views);
}

/** Bypasses the framework, whose routing and hooks cost several times what a cached response does. Misses fall through. */
function serveFromCache(app: FastifyInstance, { replies, pages }: PublishedEvents, views: ViewCounter): void {
  const caches: [path: string, cache: TimedCache<ResponseVariants>][] = [
    [publicEvent.path.replace(':eventId', ''), replies],
  ];
  if (pages) caches.push(['/payment/', pages]);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  function respond(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || request.url === undefined) return false;
    const { url } = request;
    for (const [path, cache] of caches) {
      if (!url.startsWith(path)) continue;
      const end = path.length + EVENT_ID_LENGTH;
      if (url.length !== end && url.charCodeAt(end) !== QUESTION_MARK_CODE) return false;
      const variants = cache.peek(url.slice(path.length, end));
      if (variants === undefined) return false;
      const { status, headers, body } = selectResponse(variants, ...readCacheHeaders(request.rawHeaders));
      response.writeHead(status, isClosing ? [...headers, 'connection', 'close'] : headers);
      response.end(body);
      if (cache === pages) views.count(url.slice(path.length, end), request.rawHeaders);
      return true;
    }
    return false;
  }

  const frameworkListeners = app.server.listeners('request');
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (respond(request, response)) return;
    for (const listener of frameworkListeners) listener.call(app.server, request, response);
  });
}

/** Reads two headers only: building the whole header object would take a tenth of the total time. */
function readCacheHeaders(
  rawHeaders: readonly string[],
): [ifNoneMatch: string | undefined, acceptEncoding: string | undefined] {
  let ifNoneMatch: string | undefined;
  let acceptEncoding: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === IF_NONE_MATCH.length && name.toLowerCase() === IF_NONE_MATCH)
      ifNoneMatch = joinHeader(ifNoneMatch, rawHeaders[index + 1]);
    else if (name?.length === ACCEPT_ENCODING.length && name.toLowerCase() === ACCEPT_ENCODING)
      acceptEncoding = joinHeader(acceptEncoding, rawHeaders[index + 1]);
  }
  return [ifNoneMatch, acceptEncoding];
}

const joinHeader = (before: string | undefined, more = '') => (before === undefined ? more : `${before}, ${more}`);

export function sendPublished(request: FastifyRequest, reply: FastifyReply, variants: ResponseVariants): FastifyReply {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
  const { status, headers, body } = selectResponse(
    variants,
    ifNoneMatch,
    acceptEncoding === undefined ? undefined : String(acceptEncoding),
  );
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
  return reply.code(status).send(body ?? undefined);
}

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

const PUBLIC_ID_LENGTH = 16;
const QUESTION_MARK_CODE = 63;
const IF_NONE_MATCH = 'if-none-match';
const FRAMING_HEADERS = ['content-security-policy', 'x-frame-options', 'cross-origin-resource-policy'] as const;
const ACCEPT_ENCODING = 'accept-encoding';

interface Listed {
  pages: TimedCache<ResponseVariants> | null;
}

export function publishedRoutes(
  app: FastifyInstance,
  published: PublishedEvents,
  listed: { organizers: Listed; series: Listed },
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

  serveFromCache(app, cachedPaths(published, listed, views));
}

interface CachedPath {
  start: string;
  /** What follows the start, if it names an entry. Null: none of the cache's. */
  nameIn(rest: string): string | null;
  cache: TimedCache<ResponseVariants>;
  /** Of pages whose views count. */
  views: ViewCounter | null;
}

function cachedPaths(
  { replies, pages, embeds }: PublishedEvents,
  { organizers, series }: { organizers: Listed; series: Listed },
  views: ViewCounter,
): CachedPath[] {
  return [
    { start: publicEvent.path.replace(':eventId', ''), nameIn: publicIdIn, cache: replies, views: null },
    ...(pages ? [{ start: '/payment/', nameIn: publicIdIn, cache: pages, views }] : []),
    ...(embeds ? [{ start: '/embed/', nameIn: publicIdIn, cache: embeds, views: null }] : []),
    ...(organizers.pages ? [{ start: '/o/', nameIn: slugIn, cache: organizers.pages, views: null }] : []),
    ...(series.pages ? [{ start: '/series/', nameIn: publicIdIn, cache: series.pages, views: null }] : []),
  ];
}

function publicIdIn(rest: string): string | null {
  const isWhole = rest.length === PUBLIC_ID_LENGTH || rest.charCodeAt(PUBLIC_ID_LENGTH) === QUESTION_MARK_CODE;
  return isWhole ? rest.slice(0, PUBLIC_ID_LENGTH) : null;
}

function slugIn(rest: string): string {
  const end = rest.indexOf('?');
  return end === -1 ? rest : rest.slice(0, end);
}

/** Bypasses the framework, whose routing and hooks cost several times what a cached response does. Misses fall through. */
function serveFromCache(app: FastifyInstance, cached: readonly CachedPath[]): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  function respond(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || request.url === undefined) return false;
    const { url } = request;
    for (const { start, nameIn, cache, views } of cached) {
      if (!url.startsWith(start)) continue;
      const name = nameIn(url.slice(start.length));
      const variants = name === null ? undefined : cache.peek(name);
      if (name === null || variants === undefined) return false;
      const { status, headers, body } = selectResponse(variants, ...readCacheHeaders(request.rawHeaders));
      response.writeHead(status, isClosing ? [...headers, 'connection', 'close'] : headers);
      response.end(body);
      views?.count(name, url, request.rawHeaders);
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
  // A full response has its own, and a 304 keeps those that it came with.
  for (const name of FRAMING_HEADERS) reply.removeHeader(name);
  for (let index = 0; index < headers.length; index += 2) reply.header(headers[index] ?? '', headers[index + 1]);
  return reply.code(status).send(body ?? undefined);
}

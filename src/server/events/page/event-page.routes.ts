/** Serves published events: what is there at once, before the framework sees the request; the rest by its routes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eventNotFound, publicEvent } from '#contract/events.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { TimedCache } from '#server/platform/cache.ts';
import type { Changes } from '#server/platform/ports/changes.ts';
import { type Answers, answerFor } from './answer.ts';
import type { PublishedEvents } from './page-cache.ts';

export function publishedRoutes(app: FastifyInstance, published: PublishedEvents, changes: Changes): void {
  app.get<{ Params: { eventId: string } }>(publicEvent.path, async (request, reply) => {
    const answers = await published.replies.get(request.params.eventId);
    if (!answers) throw notFound(eventNotFound);
    return sendPublished(request, reply, answers);
  });

  // Whoever has changed an event finds it changed, wherever they look next in this process; another one hears of it a moment later.
  app.addHook('onSend', async ({ method, url }) => {
    if (method !== 'GET' && url.startsWith('/api/protected/')) await changes.caughtUp();
  });

  answerAtOnce(app, published);
}

const EVENT_ID_LENGTH = 16;
const QUESTION_MARK = 63;
const IF_NONE_MATCH = 'if-none-match';
const ACCEPT_ENCODING = 'accept-encoding';

/**
 * Puts itself before the framework, whose routing and hooks cost several times what the answer does. What is not at hand
 * goes on to the framework.
 */
function answerAtOnce(app: FastifyInstance, { replies, pages }: PublishedEvents): void {
  const shelves: [path: string, kept: TimedCache<Answers>][] = [[publicEvent.path.replace(':eventId', ''), replies]];
  if (pages) shelves.push(['/payment/', pages]);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  function answered(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || request.url === undefined) return false;
    const { url } = request;
    for (const [path, kept] of shelves) {
      if (!url.startsWith(path)) continue;
      const end = path.length + EVENT_ID_LENGTH;
      if (url.length !== end && url.charCodeAt(end) !== QUESTION_MARK) return false;
      const answers = kept.ready(url.slice(path.length, end));
      if (answers === undefined) return false;
      const { status, headers, body } = answerFor(answers, ...asked(request.rawHeaders));
      response.writeHead(status, isClosing ? [...headers, 'connection', 'close'] : headers);
      response.end(body);
      return true;
    }
    return false;
  }

  const routed = app.server.listeners('request');
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (answered(request, response)) return;
    for (const route of routed) route.call(app.server, request, response);
  });
}

/** If-None-Match and Accept-Encoding. Reading all headers into an object would be a tenth of the answer's whole cost. */
function asked(rawHeaders: readonly string[]): [known: string | undefined, accepted: string | undefined] {
  let known: string | undefined;
  let accepted: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === IF_NONE_MATCH.length && name.toLowerCase() === IF_NONE_MATCH)
      known = joined(known, rawHeaders[at + 1]);
    else if (name?.length === ACCEPT_ENCODING.length && name.toLowerCase() === ACCEPT_ENCODING)
      accepted = joined(accepted, rawHeaders[at + 1]);
  }
  return [known, accepted];
}

const joined = (before: string | undefined, more = '') => (before === undefined ? more : `${before}, ${more}`);

export function sendPublished(request: FastifyRequest, reply: FastifyReply, answers: Answers): FastifyReply {
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers;
  const { status, headers, body } = answerFor(answers, known, accepted === undefined ? undefined : String(accepted));
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
  return reply.code(status).send(body ?? undefined);
}

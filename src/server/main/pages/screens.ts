/** Serves the built web: hashed files for ever, and a page for every address that a screen has. */

import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eventNotFound } from '#contract/events.ts';
import type { RefundPage } from '#contract/pages.ts';
import { notFoundPage } from '#contract/sentences.ts';
import { isSettled, settlesAt } from '#domain/settlement.ts';
import { sendPublished } from '#server/events/page/event-page.routes.ts';
import type { EventSnapshot } from '#server/events/page/read-event-page.ts';
import type { ResponseVariants } from '#server/events/page/response-variants.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { TimedCache } from '#server/platform/cache.ts';
import { DEAD_LINK, wantsPage } from '#server/platform/http/page-requests.ts';
import { EVENT_ID } from '#server/platform/ids.ts';
import type { Page, Pages } from './page.ts';

/** Screens that the browser draws by itself, in any case; `:x` is one path segment. The public ones are drawn here. */
const BROWSER_SCREENS = [
  '/register',
  '/login',
  '/verify-email',
  '/forgot-password',
  '/reset-password/:token',
  '/change-email',
  '/profile',
  '/door/:eventId',
  '/refund/:eventId/:token',
  '/privacy/:token',
  '/success',
  '/scanner',
  '/dashboard',
].map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'));

/** What these show is nobody's but their reader's: whoever comes to the same machine later must not find them by going back. */
const PERSONAL_SCREENS =
  /^\/(?:profile|door\/[^/]+|dashboard|change-email|verify-email|reset-password\/[^/]+|privacy\/[^/]+|refund\/[^/]+\/[^/]+)\/?$/i;

const RENDERED_SCREENS = /^\/(?:(?:faq|legal|privacy)\/?)?$/i;
const EVENT_SCREEN = /^\/(payment|refund)\/([^/]+)\/?$/i;
const HTML = 'text/html; charset=utf-8';

interface ScreenOptions {
  webRoot: string;
  publicUrl: string;
  pages: Pages;
  eventPages: TimedCache<ResponseVariants>;
  readEvent: (eventId: string) => Promise<EventSnapshot | null>;
}

export async function screens(
  app: FastifyInstance,
  { webRoot, publicUrl, pages, eventPages, readEvent }: ScreenOptions,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(webRoot, 'static'),
    prefix: '/static/',
    maxAge: '1y',
    immutable: true,
    preCompressed: true,
  });

  async function eventPage(request: FastifyRequest, reply: FastifyReply, path: string, eventId: string) {
    const answers = EVENT_ID.test(eventId) ? await orLog(request, eventPages.get(eventId)) : null;
    if (answers) return sendPublished(request, reply, answers);
    if (answers === undefined) return send(request, reply, 200, await pages.bare({}));
    const facts = { event: { eventId, reply: { msg: eventNotFound } } };
    // Neither kept nor squeezed: addresses that nobody has are as many as somebody likes to make up.
    const html = pages.draw({ path, publicUrl, facts });
    return reply.code(404).header('cache-control', 'no-cache').type(HTML).send(html);
  }

  async function refundPage(request: FastifyRequest, reply: FastifyReply, eventId: string) {
    const event = await orLog(request, readEvent(eventId));
    const facts = event ? { refund: refundProps(event) } : {};
    return send(request, reply, event === null ? 404 : 200, await pages.bare(facts));
  }

  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const onEvent = EVENT_SCREEN.exec(path);
    if (onEvent) {
      const [, screen = '', id = ''] = onEvent;
      const eventId = decoded(id);
      if (screen.toLowerCase() === 'refund') return refundPage(request, reply, eventId);
      return eventPage(request, reply, path, eventId);
    }
    if (BROWSER_SCREENS.some((screen) => screen.test(path))) {
      const page = await pages.bare({});
      return send(request, reply, 200, page, PERSONAL_SCREENS.test(path) ? 'no-store' : 'no-cache');
    }

    const isDrawn = RENDERED_SCREENS.test(path);
    if (!isDrawn && !wantsPage(request)) throw notFound(notFoundPage);
    // Every dead link is the same page, whatever it was mistyped as.
    const drawn = { path: isDrawn ? path.toLowerCase() : DEAD_LINK, publicUrl, facts: {} };
    return send(request, reply, isDrawn ? 200 : 404, await pages.drawn(drawn));
  });
}

/** Undefined after a failure: the browser can ask by itself, and tells people when it cannot. */
function orLog<T>(request: FastifyRequest, reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((err: unknown) => {
    request.log.error({ err }, 'page without its event');
    return undefined;
  });
}

function refundProps({ publicEvent: facts, saleDenial: obstacle, latestEndsAt, now }: EventSnapshot): RefundPage {
  return {
    eventId: facts.eventId,
    title: facts.title,
    timezone: facts.timezone,
    closesAt: settlesAt(latestEndsAt).toISOString(),
    isClosed: isSettled(latestEndsAt, now),
    isCancelled: obstacle === 'event-cancelled',
  };
}

function send(request: FastifyRequest, reply: FastifyReply, code: number, page: Page, caching = 'no-cache') {
  const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  if (takesBrotli) reply.header('content-encoding', 'br');
  return reply
    .code(code)
    .header('cache-control', caching)
    .header('vary', 'accept-encoding')
    .type(HTML)
    .send(takesBrotli ? page.brotli : page.html);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

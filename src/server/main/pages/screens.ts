/** Serves the web app: hashed files with unlimited caching, and a page for the URL of every screen. */
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Confirmation, OrderAddress } from '#contract/app/checkout.ts';
import type { Offer } from '#contract/app/plans.ts';
import type { ContactPage } from '#contract/app/sales/contact.ts';
import type { ChangesPage } from '#contract/app/sales/page-changes.ts';
import type { RefundPage } from '#contract/rendered-page.ts';
import { isSettled, settlesAt } from '#domain/settlement.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { sendPublished } from '#server/events/page/event-page.routes.ts';
import type { EventSnapshot } from '#server/events/page/read-event-page.ts';
import type { ResponseVariants } from '#server/events/page/response-variants.ts';
import type { ViewCounter } from '#server/events/page/view-counter.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { TimedCache } from '#server/platform/cache.ts';
import { DEAD_LINK, wantsPage } from '#server/platform/http/page-requests.ts';
import { PUBLIC_ID } from '#server/platform/ids.ts';
import type { DraftPage } from './draft-page.ts';
import type { Page, Pages } from './page.ts';

/** Screens rendered in the browser. Case-insensitive; `:x` is one path segment. */
const BROWSER_SCREENS = [
  '/register',
  '/login',
  '/confirm-email-change',
  '/undo-email-change',
  '/invitation',
  '/verify-email',
  '/forgot-password',
  '/reset-password/:token',
  '/change-email',
  '/profile',
  '/organization/security',
  '/organization/activity',
  '/organization/team',
  '/organization/funds',
  '/organization/api',
  '/organization/webhooks/:endpointId',
  '/events/:eventId',
  '/organization/page',
  '/events/:eventId/sales',
  '/events/:eventId/links',
  '/events/:eventId/dates',
  '/events/:eventId/page',
  '/events/:eventId/tickets',
  '/events/:eventId/guests',
  '/events/:eventId/orders',
  '/events/:eventId/comps',
  '/events/:eventId/door',
  '/events/:eventId/money',
  '/money',
  '/door/:eventId',
  '/checkout/:handle',
  '/embed/:eventId/checkout',
  '/refund/:eventId/:token',
  '/report/:eventId',
  '/checked-in/:eventId/:token',
  '/privacy/:token',
  // What their service worker stores. Orders are rendered below.
  '/order',
  '/ticket',
  '/success',
  '/scanner',
  '/dashboard',
  '/dashboard/audit',
  '/dashboard/plans',
  '/api/v1/docs',
].map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'));

/** Screens with personal data must not be cached, so that the Back button does not show them to the next user of the device. */
const PERSONAL_SCREENS =
  /^\/(?:profile|money|events\/[^/]+(?:\/(?:sales|links|dates|page|tickets|guests|orders|comps|door|money))?|door\/[^/]+|dashboard|dashboard\/(?:audit|plans)|organization\/(?:security|activity|team|funds|page|api|webhooks\/[^/]+)|change-email|confirm-email-change|undo-email-change|invitation|verify-email|reset-password\/[^/]+|(?:checkout|privacy)\/[^/]+|(?:refund|checked-in)\/[^/]+\/[^/]+)\/?$/i;

const RENDERED_SCREENS = /^\/(?:privacy|find-tickets)\/?$/i;
/** Rendered with the prices of the plans. */
const SCREENS_WITH_OFFER = /^\/(?:(?:faq|legal)\/?)?$/i;
/** Found only if the operator publishes what is owed. */
const TRUST_SCREEN = /^\/trust\/?$/i;
const ORDER_SCREEN = /^\/(?:success|(order|ticket)\/([^/]+))\/?$/i;
const CONTACT_SCREEN = /^\/contact\/([^/]+)\/?$/i;
const CHANGES_SCREEN = /^\/payment\/([^/]+)\/changes\/?$/i;
const ORGANIZER_SCREEN = /^\/o\/([^/]+)\/?$/i;
const SERIES_SCREEN = /^\/series\/([^/]+)\/?$/i;
const EMBEDDED = /^\/embed\/([^/]+)\/?$/i;
const EVENT_SCREEN = /^\/(payment|refund)\/([^/]+)\/?$/i;
/** One page for all of them, rendered once. */
const UNKNOWN_EVENT = {
  path: '/payment/unknown',
  props: { event: { eventId: null, reply: { msg: eventNotFound } } },
};
const HTML = 'text/html; charset=utf-8';
const SVG = 'image/svg+xml';
const OF_DRAFT = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' };

/** Right after the payment, Stripe may have to be asked first. The page then waits in the browser. */
const ORDER_WAIT_MS = 1000;

interface ScreenOptions {
  webRoot: string;
  publicUrl: string;
  publishesFunds: boolean;
  pages: Pages;
  eventPages: TimedCache<ResponseVariants>;
  embeds: TimedCache<ResponseVariants>;
  views: ViewCounter;
  organizerPages: TimedCache<ResponseVariants> | null;
  seriesPages: TimedCache<ResponseVariants> | null;
  readEvent: (eventId: string) => Promise<EventSnapshot | null>;
  draftPage: DraftPage;
  readOffer: () => Promise<Offer>;
  readOrder: (address: OrderAddress) => Promise<Confirmation>;
  /** Null for an unknown event. */
  readContact: (about: string) => Promise<ContactPage | null>;
  /** Null for an unknown event, and for a draft. */
  readChanges: (eventId: string) => Promise<ChangesPage | null>;
  /** Where a former address of an organization's page leads. */
  successorOf: (slug: string) => Promise<string | null>;
}

export async function screens(
  app: FastifyInstance,
  {
    webRoot,
    publicUrl,
    publishesFunds,
    pages,
    eventPages,
    embeds,
    views,
    organizerPages,
    seriesPages,
    readEvent,
    draftPage,
    readOffer,
    readOrder,
    readContact,
    readChanges,
    successorOf,
  }: ScreenOptions,
): Promise<void> {
  await app.register(builtFiles, { root: join(webRoot, 'static') });

  async function eventPage(request: FastifyRequest, reply: FastifyReply, eventId: string) {
    const variants = PUBLIC_ID.test(eventId) ? await orLog(request, eventPages.get(eventId)) : null;
    if (variants) {
      if (request.method === 'GET') views.count(eventId, request.url, request.raw.rawHeaders);
      return sendPublished(request, reply, variants);
    }
    if (variants === undefined) return send(request, reply, 200, await pages.shell({}));
    const draft = PUBLIC_ID.test(eventId) ? await orLog(request, draftPage(request, reply, eventId)) : null;
    if (draft) return reply.headers(OF_DRAFT).type(HTML).send(draft);
    return unknownEvent(request, reply);
  }

  /** Without an event there is nothing to frame, so the page can't be. */
  async function embeddedTickets(request: FastifyRequest, reply: FastifyReply, eventId: string) {
    const variants = PUBLIC_ID.test(eventId) ? await embeds.get(eventId) : null;
    return variants ? sendPublished(request, reply, variants) : unknownEvent(request, reply);
  }

  async function unknownEvent(request: FastifyRequest, reply: FastifyReply) {
    return send(request, reply, 404, await pages.rendered({ ...UNKNOWN_EVENT, publicUrl }));
  }

  async function organizerPage(request: FastifyRequest, reply: FastifyReply, slug: string) {
    const variants = await orLog(request, organizerPages?.get(slug) ?? Promise.resolve(null));
    if (variants) return sendPublished(request, reply, variants);
    if (variants === undefined) return send(request, reply, 200, await pages.shell({}));
    const successor = await successorOf(slug);
    if (successor !== null)
      return reply.header('cache-control', 'public, max-age=3600').redirect(`/o/${successor}`, 301);
    return deadLink(request, reply);
  }

  async function seriesPage(request: FastifyRequest, reply: FastifyReply, seriesId: string) {
    const variants = await orLog(request, seriesPages?.get(seriesId) ?? Promise.resolve(null));
    if (variants) return sendPublished(request, reply, variants);
    if (variants === undefined) return send(request, reply, 200, await pages.shell({}));
    return deadLink(request, reply);
  }

  /** All dead links share one cached page. */
  async function deadLink(request: FastifyRequest, reply: FastifyReply) {
    return send(request, reply, 404, await pages.rendered({ path: DEAD_LINK, publicUrl, props: {} }));
  }

  async function refundPage(request: FastifyRequest, reply: FastifyReply, eventId: string) {
    const event = await orLog(request, readEvent(eventId));
    const props = event ? { refund: refundProps(event) } : {};
    return send(request, reply, event === null ? 404 : 200, await pages.shell(props));
  }

  async function pageWithOffer(request: FastifyRequest, reply: FastifyReply, path: string) {
    const offer = await orLog(request, readOffer());
    const page = offer ? pages.rendered({ path, publicUrl, props: { offer } }) : pages.shell({});
    return send(request, reply, 200, await page);
  }

  /** Unless it is paid, its page loads in the browser, and waits there. */
  async function orderPage(request: FastifyRequest, reply: FastifyReply, path: string, address: OrderAddress) {
    const found = await Promise.race([orLog(request, orNull(readOrder(address))), nullAfter(ORDER_WAIT_MS)]);
    const search = request.url.slice(path.length);
    const page = found?.order
      ? pages.personal({ path, search, publicUrl, props: { order: { at: address, reply: found } } })
      : pages.shell({});
    return send(request, reply, 200, await page, 'no-store');
  }

  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const onOrder = ORDER_SCREEN.exec(path);
    const address = onOrder && orderAddress(onOrder, request.query);
    if (address) return orderPage(request, reply, path, address);
    const onContact = CONTACT_SCREEN.exec(path);
    const contact = onContact && (await readContact(decoded(onContact[1] ?? '')));
    // Of an order it shows the buyer's address.
    if (contact)
      return send(request, reply, 200, await pages.personal({ path, publicUrl, props: { contact } }), 'no-store');
    const onChanges = CHANGES_SCREEN.exec(path);
    const changes = onChanges && (await readChanges(decoded(onChanges[1] ?? '')));
    if (changes) return send(request, reply, 200, await pages.rendered({ path, publicUrl, props: { changes } }));
    const onOrganizer = ORGANIZER_SCREEN.exec(path);
    if (onOrganizer) return organizerPage(request, reply, decoded(onOrganizer[1] ?? '').toLowerCase());
    const onSeries = SERIES_SCREEN.exec(path);
    if (onSeries) return seriesPage(request, reply, decoded(onSeries[1] ?? ''));
    const onEmbed = EMBEDDED.exec(path);
    if (onEmbed) return embeddedTickets(request, reply, decoded(onEmbed[1] ?? ''));
    const onEvent = EVENT_SCREEN.exec(path);
    if (onEvent) {
      const [, screen = '', id = ''] = onEvent;
      const eventId = decoded(id);
      if (screen.toLowerCase() === 'refund') return refundPage(request, reply, eventId);
      return eventPage(request, reply, eventId);
    }
    if (BROWSER_SCREENS.some((screen) => screen.test(path))) {
      const page = await pages.shell({});
      return send(request, reply, 200, page, PERSONAL_SCREENS.test(path) ? 'no-store' : 'no-cache');
    }

    if (TRUST_SCREEN.test(path)) return send(request, reply, publishesFunds ? 200 : 404, await pages.shell({}));
    if (SCREENS_WITH_OFFER.test(path)) return pageWithOffer(request, reply, path.toLowerCase());

    if (RENDERED_SCREENS.test(path))
      return send(request, reply, 200, await pages.rendered({ path: path.toLowerCase(), publicUrl, props: {} }));
    if (!wantsPage(request)) throw new AppError('page.not-found');
    return deadLink(request, reply);
  });
}

const sessionQuery = z.object({ session_id: z.string().min(1) });

function orderAddress([, screen, token]: RegExpExecArray, query: unknown): OrderAddress | null {
  if (token !== undefined) return screen?.toLowerCase() === 'ticket' ? { ticket: token } : { token };
  const { data } = sessionQuery.safeParse(query);
  return data ? { sessionId: data.session_id } : null;
}

async function builtFiles(app: FastifyInstance, { root }: { root: string }): Promise<void> {
  // An image in SVG is text, and the library names no charset for it.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === SVG) reply.type(`${SVG}; charset=utf-8`);
  });
  await app.register(fastifyStatic, {
    root,
    prefix: '/static/',
    maxAge: '1y',
    immutable: true,
    preCompressed: true,
    // A route per file: with a wildcard the library lists the folder on every request.
    wildcard: false,
    globIgnore: ['**/*.{br,gz}'],
  });
}

/** Undefined after a failure: then the browser loads the data itself, and shows the error if that fails. */
function orLog<T>(request: FastifyRequest, reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((err: unknown) => {
    request.log.error({ err }, 'reading the data of a page failed');
    return undefined;
  });
}

const nullAfter = (ms: number) => new Promise<null>((resolve) => setTimeout(resolve, ms, null));

/** Null for an unknown order. */
const orNull = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((err: unknown) => {
    if (err instanceof AppError) return null;
    throw err;
  });

function refundProps({ publicEvent, saleDenial, latestEndsAt, now }: EventSnapshot): RefundPage {
  return {
    eventId: publicEvent.eventId,
    title: publicEvent.title,
    timezone: publicEvent.timezone,
    closesAt: settlesAt(latestEndsAt).toISOString(),
    isClosed: isSettled(latestEndsAt, now),
    isCancelled: saleDenial === 'event-cancelled',
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

/** The public data of events, as API replies and as HTML pages, cached in this process until it changes. */
import { type PublicEvent, publicEvent } from '#contract/app/events.ts';
import { type Computed, TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import { embedHeaders } from '#server/platform/http/headers.ts';
import { type EventSnapshot, readEventPage } from './read-event-page.ts';
import { buildResponses, type ResponseVariants } from './response-variants.ts';
import { ShownOn } from './shown-on.ts';

export interface PublishedEvents {
  replies: TimedCache<ResponseVariants>;
  /** `null` when this process serves no web app. */
  pages: TimedCache<ResponseVariants> | null;
  /** Its tickets, for a frame on other websites. */
  embeds: TimedCache<ResponseVariants> | null;
}

export type RenderEvent = (eventId: string, event: EventSnapshot) => string;

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = { replies: 16 * MEGABYTE, pages: 64 * MEGABYTE, embeds: 32 * MEGABYTE };

/** One second absorbs a rush. Screens that need fresh data bypass every cache. */
const REPLY_CACHE_CONTROL = 'public, max-age=1, stale-while-revalidate=5';
/** Browsers revalidate every time, so that a returning visitor sees the current page. */
const PAGE_CACHE_CONTROL = 'public, max-age=0, s-maxage=1';

const HTML = 'text/html; charset=utf-8';

export function publishEvents(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'changes' | 'log'>,
  headers: Readonly<Record<string, string>>,
  render: { page: RenderEvent; embed: RenderEvent } | null,
): PublishedEvents {
  // One notification for all dates of a series: each process finds those that it has.
  const datesOf = new ShownOn();
  const createCache = (maxBytes: number, build: (eventId: string, event: EventSnapshot) => Promise<ResponseVariants>) =>
    new TimedCache<ResponseVariants>({
      async compute(eventId): Promise<Computed<ResponseVariants> | null> {
        const reading = datesOf.startReading();
        try {
          const event = await readEventPage(deps, eventId);
          if (!event) return null;
          const value = await build(eventId, event);
          const { changesAt, now, seriesId } = event;
          const isOutdated = seriesId !== null && datesOf.add(eventId, [seriesId]);
          const ttlMs = changesAt && changesAt.getTime() - now.getTime();
          return { value, bytes: value.bytes, ttlMs: isOutdated ? 0 : ttlMs };
        } finally {
          reading.end();
        }
      },
      isLive: () => deps.changes.isLive(),
      onError: (err, eventId) => deps.log.warn({ err, eventId }, 'failed to refresh a cached event'),
      maxBytes: maxBytes,
    });

  const replies = createCache(MAX_BYTES.replies, (_eventId, { reply }) =>
    buildResponses(replyJson(reply), 'application/json; charset=utf-8', REPLY_CACHE_CONTROL, headers),
  );
  const pages =
    render &&
    createCache(MAX_BYTES.pages, (eventId, event) =>
      buildResponses(render.page(eventId, event), HTML, PAGE_CACHE_CONTROL, headers),
    );
  const embeds =
    render &&
    createCache(MAX_BYTES.embeds, (eventId, event) =>
      buildResponses(render.embed(eventId, event), HTML, PAGE_CACHE_CONTROL, embedHeaders(headers, event.embedOrigins)),
    );

  const caches = [replies, pages, embeds].filter((cache) => cache !== null);
  deps.changes.onChange((change) => {
    if (change.what === 'organization') return;
    const eventIds =
      change.what === 'event' ? [change.eventId] : change.what === 'series' ? datesOf.changed(change.seriesId) : null;
    for (const cache of caches) {
      if (eventIds) for (const eventId of eventIds) cache.invalidate(eventId);
      else cache.invalidateAll();
    }
  });
  return { replies, pages, embeds };
}

/** Parsing strips everything the contract does not name. */
function replyJson(reply: PublicEvent | { msg: string }): string {
  return JSON.stringify(publicEvent.reply.parse(reply));
}

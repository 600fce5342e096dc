/** The pages of organizations and their calendars, cached like the pages of events until one of their events changes. */
import { LRUCache } from 'lru-cache';
import { buildResponses, type ResponseVariants } from '#server/events/page/response-variants.ts';
import { type Computed, TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type OrganizerSnapshot, readOrganizerPage } from './read-organizer-page.ts';
import { sitemapPage } from './sitemap.ts';

export interface PublishedOrganizers {
  calendars: TimedCache<ResponseVariants>;
  /** Null when this process serves no web app. */
  pages: TimedCache<ResponseVariants> | null;
  /** By page number, `1` first. */
  sitemaps: TimedCache<ResponseVariants>;
}

type Render = (organizer: OrganizerSnapshot) => string;

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = { calendars: 16 * MEGABYTE, pages: 32 * MEGABYTE, sitemaps: 64 * MEGABYTE };
const PAGE_CACHE_CONTROL = 'public, max-age=0, s-maxage=1';
/** Calendars and search engines ask rarely. */
const FILE_CACHE_CONTROL = 'public, max-age=900';
/** Events end without a notification. */
const SITEMAP_TTL_MS = 30_000;
/** What events and organizations are shown on. More than the caches hold. */
const INDEX_MAX = 200_000;

export function publishOrganizers(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'changes' | 'log'>,
  headers: Readonly<Record<string, string>>,
  { page, calendar }: { page: Render | null; calendar: Render },
): PublishedOrganizers {
  const shown = new ShownOn();
  const options = (maxBytes: number) => ({
    isLive: () => deps.changes.isLive(),
    onError: (err: unknown, name: string) =>
      deps.log.warn({ err, name }, 'failed to refresh a page of an organization'),
    maxBytes,
  });
  const createCache = (maxBytes: number, render: Render, type: string, cacheControl: string) =>
    new TimedCache<ResponseVariants>({
      ...options(maxBytes),
      async compute(slug): Promise<Computed<ResponseVariants> | null> {
        const reading = shown.startReading();
        try {
          const organizer = await readOrganizerPage(deps, slug);
          if (!organizer) return null;
          const value = await buildResponses(render(organizer), type, cacheControl, headers);
          const { changesAt, now, organizationId, events } = organizer;
          const ttlMs = changesAt && changesAt.getTime() - now.getTime();
          const isOutdated = shown.add(slug, [organizationId, ...events.map(({ id }) => id)]);
          return { value, bytes: value.bytes, ttlMs: isOutdated ? 0 : ttlMs };
        } finally {
          reading.end();
        }
      },
    });
  const pages = page && createCache(MAX_BYTES.pages, page, 'text/html; charset=utf-8', PAGE_CACHE_CONTROL);
  const calendars = createCache(MAX_BYTES.calendars, calendar, 'text/calendar; charset=utf-8', FILE_CACHE_CONTROL);
  const sitemaps = new TimedCache<ResponseVariants>({
    ...options(MAX_BYTES.sitemaps),
    async compute(number) {
      const xml = await sitemapPage(deps, Number(number));
      if (xml === null) return null;
      const value = await buildResponses(xml, 'application/xml; charset=utf-8', FILE_CACHE_CONTROL, headers);
      return { value, bytes: value.bytes, ttlMs: SITEMAP_TTL_MS };
    },
  });
  deps.changes.onChange((change) => {
    if (change.what === 'event' || change.what === 'organization') {
      const id = change.what === 'event' ? change.eventId : change.organizationId;
      const slug = shown.changed(id);
      for (const cache of pages ? [pages, calendars] : [calendars]) if (slug !== undefined) cache.invalidate(slug);
      if (change.what === 'organization') sitemaps.invalidateAll();
    } else {
      for (const cache of pages ? [pages, calendars, sitemaps] : [calendars, sitemaps]) cache.invalidateAll();
    }
  });
  return { calendars, pages, sitemaps };
}

/** Where events and organizations are shown. A notification names them, not the page. */
class ShownOn {
  readonly #slugs = new LRUCache<string, string>({ max: INDEX_MAX });
  readonly #changed = new Set<string>();
  #readings = 0;

  /** Until it ends, changes are remembered: a page that is being read may not be known yet. */
  startReading(): { end: () => void } {
    this.#readings += 1;
    return {
      end: () => {
        this.#readings -= 1;
        if (this.#readings === 0) this.#changed.clear();
      },
    };
  }

  /** Whether one of them has changed since the reading began. */
  add(slug: string, ids: readonly string[]): boolean {
    for (const id of ids) this.#slugs.set(id, slug);
    return ids.some((id) => this.#changed.has(id));
  }

  /** The page that shows it, if any. */
  changed(id: string): string | undefined {
    if (this.#readings > 0) this.#changed.add(id);
    return this.#slugs.get(id);
  }
}

/** The pages and calendars of organizations and of series, and the sitemap. */
import { buildResponses, type ResponseVariants } from '#server/events/page/response-variants.ts';
import { TimedCache } from '#server/platform/cache.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type CalendarSnapshot, Listings } from './listing-cache.ts';
import { type OrganizerSnapshot, readOrganizerCalendar, readOrganizerPage } from './read-organizer-page.ts';
import { readSeriesCalendar, readSeriesPage, type SeriesSnapshot } from './read-series-page.ts';
import { sitemapPage } from './sitemap.ts';

export interface PublishedList {
  calendars: TimedCache<ResponseVariants>;
  /** Null when this process serves no web app. */
  pages: TimedCache<ResponseVariants> | null;
}

export interface PublishedListings {
  /** By slug. */
  organizers: PublishedList;
  /** By id. */
  series: PublishedList;
  /** By page number, `1` first. */
  sitemaps: TimedCache<ResponseVariants>;
}

interface Renderers<Page, Of> {
  page: ((page: Page) => string) | null;
  calendar: (calendar: CalendarSnapshot<Of>) => string;
}

export interface ListingRenderers {
  organizers: Renderers<OrganizerSnapshot, { slug: string; name: string }>;
  series: Renderers<SeriesSnapshot, { seriesId: string; title: string }>;
}

const MEGABYTE = 1024 * 1024;
const PAGES = {
  type: 'text/html; charset=utf-8',
  cacheControl: 'public, max-age=0, s-maxage=1',
  maxBytes: 32 * MEGABYTE,
};
/** Calendars and search engines ask rarely. */
const FILE_CACHE_CONTROL = 'public, max-age=900';
const CALENDARS = {
  type: 'text/calendar; charset=utf-8',
  cacheControl: FILE_CACHE_CONTROL,
  maxBytes: 16 * MEGABYTE,
};
const SITEMAP_BYTES = 64 * MEGABYTE;
/** Events end without a notification. */
const SITEMAP_TTL_MS = 30_000;

export function publishListings(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'changes' | 'log'>,
  headers: Readonly<Record<string, string>>,
  render: ListingRenderers,
): PublishedListings {
  const organizers = new Listings(deps, headers);
  const series = new Listings(deps, headers);
  const sitemaps = new TimedCache<ResponseVariants>({
    async compute(number) {
      const xml = await sitemapPage(deps, Number(number));
      if (xml === null) return null;
      const value = await buildResponses(xml, 'application/xml; charset=utf-8', FILE_CACHE_CONTROL, headers);
      return { value, bytes: value.bytes, ttlMs: SITEMAP_TTL_MS };
    },
    isLive: () => deps.changes.isLive(),
    onError: (err, name) => deps.log.warn({ err, name }, 'failed to refresh the sitemap'),
    maxBytes: SITEMAP_BYTES,
  });

  deps.changes.onChange((change) => {
    if (change.what === 'event') {
      organizers.changed(change.eventId);
      series.changed(change.eventId);
    } else if (change.what === 'organization') {
      organizers.changed(change.organizationId);
      sitemaps.invalidateAll();
    } else if (change.what === 'series') {
      series.invalidate(change.seriesId);
    } else {
      for (const all of [organizers, series, sitemaps]) all.invalidateAll();
    }
  });
  return {
    organizers: {
      pages:
        render.organizers.page &&
        organizers.open({ ...PAGES, read: (slug) => readOrganizerPage(deps, slug), render: render.organizers.page }),
      calendars: organizers.open({
        ...CALENDARS,
        read: (slug) => readOrganizerCalendar(deps, slug),
        render: render.organizers.calendar,
      }),
    },
    series: {
      pages:
        render.series.page &&
        series.open({ ...PAGES, read: (id) => readSeriesPage(deps, id), render: render.series.page }),
      calendars: series.open({
        ...CALENDARS,
        read: (id) => readSeriesCalendar(deps, id),
        render: render.series.calendar,
      }),
    },
    sitemaps,
  };
}

import type { ListedEvent, OrganizerPage } from '#contract/app/sales/organizer-page.ts';
import { denySlug } from '#domain/accounts/organization-page.ts';
import { CALENDAR_ENTRIES_MAX, PAGE_DATES_MAX, PAGE_EVENTS_MAX } from '#domain/limits.ts';
import type { EventPhoto } from '#domain/sales/photos.ts';
import { lookOf } from '#server/events/page/look.ts';
import { coverReply, listPhotos } from '#server/events/photos/list-photos.ts';
import { photoUrl } from '#server/events/photos/photo-files.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type ReadSales, readSales, saleOfAll } from './how-events-sell.ts';
import { listedEntriesOf, listedEventsOf } from './listed-events.sql.ts';
import { type CalendarSnapshot, firstEndOf, type Listing } from './listing-cache.ts';
import { findOrganizer } from './organizer-page.sql.ts';

type EventRow = Awaited<ReturnType<typeof listedEventsOf>>[number];

export interface OrganizerSnapshot extends Listing {
  page: OrganizerPage;
}

/** Null unless the public finds the page. */
export async function readOrganizerPage(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  slug: string,
): Promise<OrganizerSnapshot | null> {
  const organizer = await find(deps, slug);
  if (!organizer) return null;
  const { id: organizationId, now, bio, website, logoFile, accent } = organizer;
  const events = await listedEventsOf(deps.db, organizationId, PAGE_DATES_MAX);
  // In the order of the first date of each.
  const entries = [...Map.groupBy(events, ({ id, seriesId }) => seriesId ?? id).values()].slice(0, PAGE_EVENTS_MAX);
  const [{ sales, changesAt }, photosOf, look] = await Promise.all([
    readSales(deps, entries.flat(), now),
    listPhotos(
      deps,
      entries.flatMap(([first]) => first?.id ?? []),
    ),
    lookOf(deps.db, accent),
  ]);
  return {
    page: {
      slug,
      name: organizer.name ?? '',
      bio,
      website,
      logo: logoFile === null ? null : photoUrl(deps, logoFile),
      look,
      events: entries.flatMap((dates) => cardOf(dates, sales, photosOf)),
    },
    shows: [organizationId, ...events.map(({ id }) => id)],
    now,
    changesAt,
  };
}

export async function readOrganizerCalendar(
  deps: Pick<Deps, 'db'>,
  slug: string,
): Promise<CalendarSnapshot<{ slug: string; name: string }> | null> {
  const organizer = await find(deps, slug);
  if (!organizer) return null;
  const { id, name, now } = organizer;
  const entries = await listedEntriesOf(deps.db, id, CALENDAR_ENTRIES_MAX);
  return {
    of: { slug, name: name ?? '' },
    entries,
    shows: [id, ...entries.map((entry) => entry.id)],
    now,
    changesAt: firstEndOf(entries),
  };
}

const find = async ({ db }: Pick<Deps, 'db'>, slug: string) =>
  denySlug(slug) === null ? findOrganizer(db, slug) : undefined;

/** Of an event, or of the dates of a series: their next one, with how all of them sell. */
function cardOf(
  [first, ...others]: readonly EventRow[],
  sales: ReadSales['sales'],
  photosOf: (eventId: string) => readonly EventPhoto[],
): ListedEvent[] {
  if (!first) return [];
  const { id: eventId, title, subtitle, timezone, startsAt, endsAt, street, city, state, venueName, seriesId } = first;
  const isSeries = seriesId !== null && others.length > 0;
  return [
    {
      eventId,
      series: isSeries ? { seriesId, more: others.length } : null,
      title,
      subtitle: isSeries ? null : subtitle,
      timezone,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      street,
      city,
      state,
      venueName,
      ...coverReply(photosOf(eventId)),
      ...saleOfAll([first, ...others].flatMap(({ id }) => sales.get(id) ?? [])),
    },
  ];
}

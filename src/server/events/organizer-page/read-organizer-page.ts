import type { ListedEvent, OrganizerPage } from '#contract/app/sales/organizer-page.ts';
import { denySlug } from '#domain/accounts/organization-page.ts';
import { FEW_LEFT_MAX, shownAvailability } from '#domain/availability.ts';
import { PAGE_EVENTS_MAX } from '#domain/limits.ts';
import { closedBecause } from '#domain/order.ts';
import { ticketTypeRows } from '#server/events/events.sql.ts';
import { openSuccessors } from '#server/events/open-successors.ts';
import { lookOf } from '#server/events/page/look.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { photoUrl } from '#server/events/photos/photo-files.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findOrganizer, listedEventsOf } from './organizer-page.sql.ts';

type EventRow = Awaited<ReturnType<typeof listedEventsOf>>[number];
type TypeRow = Awaited<ReturnType<typeof ticketTypeRows>>[number];

export interface OrganizerSnapshot {
  page: OrganizerPage;
  /** The listed events, as stored. */
  events: readonly EventRow[];
  organizationId: string;
  now: Date;
  /** When this becomes outdated without any edit. */
  changesAt: Date | null;
}

/** Null unless the public finds the page. */
export async function readOrganizerPage(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  slug: string,
): Promise<OrganizerSnapshot | null> {
  const organizer = denySlug(slug) === null ? await findOrganizer(deps.db, slug) : undefined;
  if (!organizer) return null;
  const { id: organizationId, now, bio, website, logoFile, accent } = organizer;
  const events = await listedEventsOf(deps.db, organizationId, PAGE_EVENTS_MAX);
  const ids = events.map(({ id }) => id);
  const [rows, photosOf, look] = await Promise.all([
    ticketTypeRows(deps.db, ids),
    listPhotos(deps, ids),
    lookOf(deps.db, accent),
  ]);
  const listed: ListedEvent[] = [];
  const edges: (Date | null)[] = [];
  for (const event of events) {
    const own = rows.filter(({ eventId }) => eventId === event.id);
    const types = await openSuccessors(deps.db, { id: event.id, now }, own);
    listed.push(cardOf(event, types, photosOf(event.id)[0] ?? null, now));
    edges.push(
      event.endsAt,
      event.salesStartAt,
      ...types.flatMap(({ salesFrom, salesUntil }) => [salesFrom, salesUntil]),
    );
  }
  const upcoming = edges.filter((edge) => edge !== null && edge > now).map(Number);
  return {
    page: {
      slug,
      name: organizer.name ?? '',
      bio,
      website,
      logo: logoFile === null ? null : photoUrl(deps, logoFile),
      look,
      events: listed,
    },
    events,
    organizationId,
    now,
    changesAt: upcoming.length > 0 ? new Date(Math.min(...upcoming)) : null,
  };
}

function cardOf(event: EventRow, types: readonly TypeRow[], photo: string | null, now: Date): ListedEvent {
  const { id: eventId, title, timezone, startsAt, endsAt, street, city, state, venueName } = event;
  const offered = types.filter((type) => !type.isHidden && !type.isAddOn && closedBecause(type, now) !== 'over');
  const prices = offered.map(({ priceCents }) => priceCents);
  const opensAt = [event.salesStartAt, ...(areAllLater(offered, now) ? offered.map(({ salesFrom }) => salesFrom) : [])]
    .filter((moment) => moment !== null && moment > now)
    .map(Number);
  const venue = { street, city, state, venueName };
  return {
    eventId,
    title,
    timezone,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...venue,
    photo,
    sale: saleOf(event, offered, now),
    opensAt: opensAt.length > 0 ? new Date(Math.min(...opensAt)).toISOString() : null,
    fromCents: prices.length > 0 ? Math.min(...prices) : null,
    hasOnePrice: new Set(prices).size === 1 && !offered.some(({ hasNamedPrice }) => hasNamedPrice),
  };
}

const areAllLater = (types: readonly TypeRow[], now: Date) =>
  types.every((type) => closedBecause(type, now) === 'not-yet');

function saleOf(event: EventRow, offered: readonly TypeRow[], now: Date): ListedEvent['sale'] {
  if (event.pausedSales === 'all') return 'paused';
  const left = offered.map(({ availableToBuy }) => shownAvailability(availableToBuy));
  const sum = left.reduce((total, one) => total + one, 0);
  if (sum === 0) return 'sold-out';
  const isLater = event.salesStartAt !== null && event.salesStartAt > now;
  if (isLater || areAllLater(offered, now)) return 'not-yet';
  return sum <= FEW_LEFT_MAX ? 'few-left' : 'on-sale';
}

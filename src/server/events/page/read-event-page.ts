import { type OtherDates, type PublicEvent } from '#contract/app/events.ts';
import { denySale, type SaleDenial } from '#domain/order.ts';
import { coverOf, type EventPhoto } from '#domain/sales/photos.ts';
import { eventCancelled, eventEnded } from '#messages/sales/event-page.ts';
import { authorize } from '#server/accounts/policies.ts';
import { ownEvent } from '#server/events/authorize-event.ts';
import { publicEventReply, type ShownEvent, type TicketTypeRow } from '#server/events/event-columns.ts';
import { eventRow, isPublished, publicEventRow, ticketTypeRows } from '#server/events/events.sql.ts';
import { openSuccessors, withSuccessors } from '#server/events/open-successors.ts';
import { listPhotos } from '#server/events/photos/list-photos.ts';
import { nextVersion } from '#server/events/versions/record-version.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { lookOf } from './look.ts';
import { otherDatesOf } from './other-dates.sql.ts';

const PUBLIC_ID = /^[\w-]{1,64}$/;

const UNAVAILABLE: Record<SaleDenial, string> = { 'event-cancelled': eventCancelled, 'event-ended': eventEnded };

export interface EventSnapshot {
  /** The full data, also for an ended or cancelled event, which `reply` hides. */
  publicEvent: PublicEvent;
  /** `null` while tickets can be sold. */
  saleDenial: SaleDenial | null;
  /** What the public API replies. */
  reply: PublicEvent | { code: SaleDenial; msg: string };
  cover: EventPhoto | null;
  isListed: boolean;
  /** Websites that may show its tickets in a frame. */
  embedOrigins: readonly string[];
  seriesId: string | null;
  /** The latest end time that tickets were sold for. Refunds and the payout count from it. */
  latestEndsAt: Date;
  now: Date;
  /** When this becomes outdated without any edit. */
  changesAt: Date | null;
}

/** Reads a published event by an ID from a URL, so the ID may be malformed. */
export async function readEventPage(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  eventId: string,
): Promise<EventSnapshot | null> {
  const mayExist = PUBLIC_ID.test(eventId) && (await isPublished(deps.db, eventId));
  const event = mayExist ? await publicEventRow(deps.db, eventId) : undefined;
  return event ? snapshotOf(deps, event) : null;
}

/** The same of a draft, for a member who sees it. Null for any other event. */
export async function readDraft(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  actor: Actor,
  eventId: string,
): Promise<EventSnapshot | null> {
  const own = await ownEvent(deps, actor, eventId);
  if (!own || own.isPublished) return null;
  authorize(actor, 'event.view');
  const event = await eventRow(deps.db, eventId);
  if (!event) return null;
  // As published: what the page says of its versions is what publishing makes of them.
  const next = await nextVersion(deps.db, eventId);
  const { version: pageVersion, isListed: isChange } = next ?? { version: event.pageVersion, isListed: false };
  return snapshotOf(deps, { ...event, pageVersion, hasChanges: event.hasChanges || isChange });
}

type EventRow = NonNullable<Awaited<ReturnType<typeof eventRow>>>;

/** What its page shows, and what decides about it. */
export type EventOfPage = ShownEvent &
  Pick<
    EventRow,
    | 'isPublished'
    | 'cancelledAt'
    | 'latestEndsAt'
    | 'now'
    | 'pageVersion'
    | 'organizationName'
    | 'organizationBio'
    | 'accent'
    | 'organizerSlug'
    | 'hasChanges'
    | 'hasPromoCodes'
    | 'embedOrigins'
  >;

/** @param typed ticket types other than the stored ones */
export async function snapshotOf(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  event: EventOfPage,
  typed?: readonly TicketTypeRow[],
): Promise<EventSnapshot> {
  const { id: eventId, isPublished, now, seriesId } = event;
  const saleDenial = denySale(event, event.now);
  const [rows, photosOf, others] = await Promise.all([
    typed ?? ticketTypeRows(deps.db, [eventId]),
    listPhotos(deps, [eventId]),
    saleDenial || seriesId === null ? [] : otherDatesOf(deps.db, { id: eventId, seriesId }),
  ]);
  const types = isPublished && !typed ? await openSuccessors(deps.db, event, rows) : withSuccessors(rows, now);
  const look = await lookOf(deps.db, event.accent);
  const otherDates = datesToShow(others);
  const photos = photosOf(eventId);
  const details = {
    ...publicEventReply({ event, types, photos }, { ...event, look }),
    ...(otherDates && { otherDates }),
  };
  const edges = [
    ...types.flatMap(({ salesFrom, salesUntil }) => [salesFrom, salesUntil]),
    ...others.map(({ endsAt }) => endsAt),
  ];
  return {
    publicEvent: details,
    saleDenial,
    reply: saleDenial ? { code: saleDenial, msg: UNAVAILABLE[saleDenial] } : details,
    cover: coverOf(photos),
    isListed: event.isListed,
    embedOrigins: event.embedOrigins,
    seriesId,
    latestEndsAt: event.latestEndsAt,
    now: event.now,
    changesAt: saleDenial ? null : earliestAfter([event.salesStartAt, event.endsAt, ...edges], event.now),
  };
}

const DATES_SHOWN = 3;

function datesToShow(others: Awaited<ReturnType<typeof otherDatesOf>>): OtherDates | null {
  if (others.length === 0) return null;
  const next = others.slice(0, DATES_SHOWN).map(({ id, subtitle, timezone, startsAt }) => ({
    eventId: id,
    ...(subtitle && { subtitle }),
    timezone,
    startsAt: startsAt.toISOString(),
  }));
  return { count: others.length, next };
}

function earliestAfter(moments: readonly (Date | null)[], now: Date): Date | null {
  const upcoming = moments.filter((moment) => moment !== null && moment > now).map(Number);
  return upcoming.length > 0 ? new Date(Math.min(...upcoming)) : null;
}

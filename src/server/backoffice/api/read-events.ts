import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/v1/events.ts';
import type { readOrganization as organizationCall } from '#contract/v1/organization.ts';
import type { listTicketTypes as typesCall } from '#contract/v1/ticket-types.ts';
import { authorize } from '#server/accounts/policies.ts';
import { headsOf } from '#server/backoffice/workspace/list-event-rows.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { presentTaxes } from '#server/events/taxes/taxes.sql.ts';
import { ticketTotals } from '#server/events/totals/ticket-totals.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { eventsFrom, organizationAddress, reachedEvent, typesOf } from './api.sql.ts';
import { eventCursorOf, pageOf, readEventCursor } from './cursor.ts';
import { snakeCased } from './snake-case.ts';

export type Sites = Pick<Deps, 'db' | 'publicUrl'>;
export type FoundEvent = NonNullable<Awaited<ReturnType<typeof reachedEvent>>>;

/** Which organization a key belongs to is no secret to the key, so that any scope will do. */
export async function readOrganization(
  { db, publicUrl }: Sites,
  { organizationId, keyId, keyName, scopes, onlyEventIds }: KeyHolder,
): Promise<ReplyOf<typeof organizationCall>> {
  const { name = null, slug = null } = (await organizationAddress(db, organizationId)) ?? {};
  return {
    id: organizationId,
    name,
    page_url: slug === null ? null : `${publicUrl}/o/${slug}`,
    key: { id: keyId, name: keyName, scopes: [...(scopes ?? [])], event_ids: onlyEventIds && [...onlyEventIds] },
  };
}

export async function listEvents(
  deps: Sites,
  key: KeyHolder,
  { series_id: seriesId, after, limit }: InputOf<typeof contract.listEvents>,
): Promise<ReplyOf<typeof contract.listEvents>> {
  authorize(key, 'event.view');
  const found = await eventsFrom(deps.db, key, { seriesId, after: readEventCursor(after), limit: limit + 1 });
  const { page, next } = pageOf(found, limit, ({ createdAtText, id }) =>
    eventCursorOf({ createdAt: createdAtText, id }),
  );
  return { data: await eventReplies(deps, page), next_cursor: next };
}

export async function readEvent(
  deps: Sites,
  key: KeyHolder,
  eventId: string,
): Promise<ReplyOf<typeof contract.readEvent>> {
  await authorizeEvent(deps, key, 'event.view', eventId);
  const found = await reachedEvent(deps.db, key, eventId);
  const [reply] = found ? await eventReplies(deps, [found]) : [];
  if (!reply) throw new AppError('event.not-found');
  return reply;
}

export async function listTicketTypes(
  { db }: Pick<Deps, 'db'>,
  key: KeyHolder,
  eventId: string,
): Promise<ReplyOf<typeof typesCall>> {
  await authorizeEvent({ db }, key, 'event.view', eventId);
  const [types, totals] = await Promise.all([typesOf(db, eventId), ticketTotals(db, [eventId])]);
  const soldOf = new Map(totals.map(({ ticketTypeId, sold }) => [ticketTypeId, sold]));
  return {
    data: types.map(({ salesFrom, salesUntil, ...type }) => ({
      ...snakeCased(type),
      suggested_price_cents: type.suggestedCents,
      capacity: type.quantity,
      sold: soldOf.get(type.id) ?? 0,
      opens_after_id: type.opensAfter,
      sales_from: salesFrom?.toISOString() ?? null,
      sales_until: salesUntil?.toISOString() ?? null,
    })),
  };
}

export async function eventReplies(
  deps: Sites,
  events: readonly FoundEvent[],
): Promise<ReplyOf<typeof contract.readEvent>[]> {
  const heads = await headsOf(deps, events);
  const taxes = await presentTaxes(
    deps.db,
    events.map(({ id }) => id),
  );
  const taxOf = new Map(taxes.map(({ eventId, rate, label }) => [eventId, { name: label, rate }]));
  const headOf = new Map(heads.map((head) => [head.eventId, head]));
  return events.flatMap((event) => {
    const head = headOf.get(event.id);
    return head ? [eventReply(deps, event, head, taxOf.get(event.id) ?? null)] : [];
  });
}

function eventReply(
  deps: Sites,
  event: FoundEvent,
  head: Awaited<ReturnType<typeof headsOf>>[number],
  tax: { name: string; rate: number } | null,
) {
  return {
    id: event.id,
    series_id: event.seriesId,
    title: event.title,
    subtitle: event.subtitle,
    description: event.description,
    status: statuses[head.status],
    starts_at: head.startsAt,
    ends_at: head.endsAt,
    time_zone: event.timezone,
    venue: {
      name: event.venueName,
      street: event.street,
      city: event.city,
      state: event.state,
      postal_code: event.postalCode,
      latitude: event.latitude,
      longitude: event.longitude,
    },
    tax,
    url: eventUrl(deps, event.id),
    is_listed: event.isListed,
    max_per_order: event.maxPerOrder,
    sales_start_at: event.salesStartAt?.toISOString() ?? null,
    buyers_per_minute: event.buyersPerMinute,
    check_in_opens_at: event.checkInOpensAt?.toISOString() ?? null,
    check_in_closes_at: event.checkInClosesAt?.toISOString() ?? null,
    capacity: head.ticketsOffered,
    tickets_sold: head.ticketsSold,
    page_version: event.pageVersion,
    created_at: event.createdAt.toISOString(),
    published_at: event.publishedAt?.toISOString() ?? null,
    cancelled_at: event.cancelledAt?.toISOString() ?? null,
  };
}

const statuses = {
  draft: 'draft',
  scheduled: 'scheduled',
  'on-sale': 'on_sale',
  'sold-out': 'sold_out',
  paused: 'paused',
  today: 'today',
  ended: 'ended',
  'paid-out': 'paid_out',
  cancelled: 'cancelled',
} as const;

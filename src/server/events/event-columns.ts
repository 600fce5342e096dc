/** Maps an event's fields: from the form to columns, and from rows to replies. Only the fields listed here leave the server. */
import type { Brake, PublicEvent } from '#contract/app/events.ts';
import type { EventForm } from '#contract/forms/event-form.ts';
import type { ParsedTicketRow } from '#contract/forms/ticket-sales.ts';
import { BLANK_ROW, limitsOf, quantityOf, suggestedCentsOf, type TicketRow } from '#contract/forms/ticket-types.ts';
import type { PricedType } from '#domain/accounts/onboarding.ts';
import { shownAvailability } from '#domain/availability.ts';
import { doorsOpenAt } from '#domain/check-in-hours.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { centsOf, dollarsOf } from '#domain/money.ts';
import { closedBecause } from '#domain/order.ts';
import type { EventPhoto } from '#domain/sales/photos.ts';
import type { eventRowsOf, publicEventRow, ticketTypeRows } from './events.sql.ts';
import { plainTextOf, readRichText } from './rich-text/read-rich-text.ts';

/** Columns that the event form edits. The event's version covers them, so that an edit of an older form is noticed. */
export const EVENT_COLUMNS = [
  'title',
  'description',
  'street',
  'city',
  'state',
  'postalCode',
  'timezone',
  'startsAt',
  'endsAt',
  'participants',
  'latitude',
  'longitude',
  'salesStartAt',
  'buyersPerMinute',
  'checkInOpensAt',
  'checkInClosesAt',
  'maxPerOrder',
  'allowsRepeatedFreeOrders',
  'allowsTicketTransfer',
  'venueName',
  'isListed',
  'subtitle',
] as const;

/** The same of its ticket types. */
export const TICKET_TYPE_COLUMNS = [
  'position',
  'name',
  'description',
  'priceCents',
  'quantity',
  'salesFrom',
  'salesUntil',
  'minPerOrder',
  'maxPerOrder',
  'opensAfter',
  'isHidden',
  'hasNamedPrice',
  'suggestedCents',
  'isAddOn',
  'access',
] as const;

type TicketTypeColumns = Record<(typeof TICKET_TYPE_COLUMNS)[number], string | number | boolean | Date | null>;

export function eventColumns(form: Omit<EventForm, 'tickets' | 'maxPerOrder' | 'affiliateCode'>) {
  const { title, description, street, city, state, postalCode, timezone, participants, latitude, longitude } = form;
  return { title, description, street, city, state, postalCode, timezone, participants, latitude, longitude };
}

interface Listing {
  venueName: string | null;
  isListed: boolean;
  subtitle: string | null;
}

/** Where it is, whether it is found, and what tells it from other dates. An edit keeps what it omits. */
export function listingOf(
  { venueName, isListed, subtitle }: Pick<EventForm, keyof Listing>,
  before: Listing = { venueName: null, isListed: true, subtitle: null },
): Listing {
  return {
    subtitle: subtitle === undefined ? before.subtitle : subtitle || null,
    venueName: venueName === undefined ? before.venueName : venueName || null,
    isListed: isListed ?? before.isListed,
  };
}

export const pricedTypeOf = ({
  ticketPrice,
  hasNamedPrice = false,
}: Pick<TicketRow, 'ticketPrice' | 'hasNamedPrice'>): PricedType => ({
  priceCents: centsOf(ticketPrice) ?? 0,
  hasNamedPrice,
});

/** @param ids of all rows, which may wait for each other */
export function ticketTypeColumns(row: ParsedTicketRow, position: number, ids: readonly string[]) {
  const { salesFrom, salesUntil, opensAfterRow } = row;
  return {
    position,
    name: row.ticketName.trim(),
    description: row.ticketDescription.trim(),
    ...pricedTypeOf(row),
    quantity: quantityOf(row.ticketQuantity) ?? 0,
    salesFrom,
    salesUntil,
    ...limitsOf(row),
    isHidden: row.isHidden ?? false,
    suggestedCents: suggestedCentsOf(row) ?? null,
    isAddOn: row.isAddOn ?? false,
    access: row.access || null,
    opensAfter: opensAfterRow === null ? null : (ids[opensAfterRow] ?? null),
  } satisfies TicketTypeColumns;
}

export type Row<Query extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Query>>[number];

/** An event with its related rows. */
export interface EventParts {
  event: Row<typeof eventRowsOf>;
  types: readonly Row<typeof ticketTypeRows>[];
  photos: readonly EventPhoto[];
}

/** What is shown of an event: of a stored one, or of one that a form would make. */
export type ShownEvent = Pick<
  EventParts['event'],
  | Exclude<(typeof EVENT_COLUMNS)[number], 'allowsRepeatedFreeOrders' | 'allowsTicketTransfer'>
  | 'id'
  | 'seriesId'
  | 'pausedSales'
>;

type ShownParts = Omit<EventParts, 'event'> & { event: ShownEvent };

export function publicEventReply(
  parts: ShownParts,
  organizer: Pick<
    NonNullable<Awaited<ReturnType<typeof publicEventRow>>>,
    'organizationName' | 'organizationBio' | 'organizerSlug' | 'now' | 'hasPromoCodes' | 'pageVersion' | 'hasChanges'
  > & { look: string | null },
): PublicEvent {
  const doors = doorsOpenAt(parts.event);
  const shown = parts.types.filter(({ isHidden }) => !isHidden);
  const { description } = parts.event;
  const rich = readRichText(description);
  return {
    ...eventFields(parts),
    description: plainTextOf(description),
    ...(rich && { richDescription: rich }),
    tickets: publicTicketTypes(shown, organizer.now),
    organizationName: organizer.organizationName,
    bio: organizer.organizationBio,
    ...(organizer.organizerSlug && { organizerSlug: organizer.organizerSlug }),
    ...(organizer.look && { look: organizer.look }),
    pageVersion: organizer.pageVersion,
    ...(organizer.hasChanges && { hasChanges: true }),
    ...(organizer.hasPromoCodes && { hasPromoCodes: true }),
    ...(doors && { doorsOpenAt: doors.toISOString() }),
  };
}

/** As buyers see them. */
export const publicTicketTypes = (types: EventParts['types'], now: Date) =>
  types.map((type) => {
    const closed = closedBecause(type, now);
    return { ...shownTicketType(type), ...(closed && { closed }) };
  });

const shownTicketType = (type: TicketTypeRow) => ({
  ...ticketTypeReply(type),
  available: shownAvailability(type.availableToBuy),
});

export function eventFields({ event, types, photos }: ShownParts) {
  return {
    eventId: event.id,
    title: event.title,
    ...(event.subtitle && { subtitle: event.subtitle }),
    ...(event.seriesId && { seriesId: event.seriesId }),
    description: event.description,
    street: event.street,
    city: event.city,
    state: event.state,
    postalCode: event.postalCode,
    ...(event.venueName && { venueName: event.venueName }),
    timezone: event.timezone,
    startDate_startTime: event.startsAt.toISOString(),
    endDate_endTime: event.endsAt.toISOString(),
    latitude: event.latitude,
    longitude: event.longitude,
    ...photoFields(photos),
    tickets: types.map(shownTicketType),
    ...(event.maxPerOrder < ORDER_TICKETS_MAX && { maxPerOrder: event.maxPerOrder }),
    ...(event.salesStartAt && { salesStartAt: event.salesStartAt.toISOString() }),
    ...(event.pausedSales && { pausedSales: event.pausedSales }),
    ...(event.buyersPerMinute && { buyersPerMinute: event.buyersPerMinute }),
  };
}

function photoFields(photos: readonly EventPhoto[]): Pick<PublicEvent, 'eventPhotos' | 'coverPhoto' | 'photoDetails'> {
  const cover = photos.findIndex(({ isCover }) => isCover);
  return {
    eventPhotos: photos.map(({ url }) => url),
    ...(cover > 0 && { coverPhoto: cover }),
    ...(photos.some(({ altText, focus }) => altText || focus) && {
      photoDetails: photos.map(({ altText, focus }) => ({ ...(altText && { altText }), ...(focus && { focus }) })),
    }),
  };
}

export type TicketTypeRow = EventParts['types'][number];

/** Its own columns alone. */
export type StoredTicketType = Omit<TicketTypeRow, 'availableToBuy'>;

export function ticketTypeReply(type: StoredTicketType) {
  return {
    ticketId: type.id,
    ticketName: type.name,
    ticketDescription: type.description,
    ticketPrice: dollarsOf(type.priceCents),
    ticketQuantity: type.quantity,
    ...(type.salesFrom && { salesFrom: type.salesFrom.toISOString() }),
    ...(type.salesUntil && { salesUntil: type.salesUntil.toISOString() }),
    ...(type.minPerOrder > 1 && { minPerOrder: type.minPerOrder }),
    ...(type.maxPerOrder !== null && { maxPerOrder: type.maxPerOrder }),
    ...(type.opensAfter !== null && { opensAfter: type.opensAfter }),
    ...(type.isHidden && { isHidden: true }),
    ...(type.hasNamedPrice && { hasNamedPrice: true }),
    ...(type.suggestedCents !== null && { suggestedPrice: dollarsOf(type.suggestedCents) }),
    ...(type.isAddOn && { isAddOn: true }),
    ...(type.access && { access: type.access }),
  };
}

/** As a form would have it: blank where the reply leaves a field out. */
export const ticketTypeRow = (type: StoredTicketType) => ({ ...BLANK_ROW, ...ticketTypeReply(type) });

/** Null while the brake is off. */
export const brakeOf = (since: Date | null, reason: string | null): Brake | null =>
  since && reason !== null ? { since: since.toISOString(), reason } : null;

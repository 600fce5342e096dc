/** Maps an event's fields: from the form to columns, and from rows to replies. Only the fields listed here leave the server. */
import type { Brake, PublicEvent } from '#contract/app/events.ts';
import type { EventForm } from '#contract/forms/event-form.ts';
import { quantityOf } from '#contract/forms/ticket-types.ts';
import { shownAvailability } from '#domain/availability.ts';
import { doorsOpenAt } from '#domain/check-in-hours.ts';
import { centsOf, dollarsOf } from '#domain/money.ts';
import type { eventRowsOf, publicEventRow, ticketTypeRows } from './events.sql.ts';

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
] as const;

/** The same of its ticket types. */
export const TICKET_TYPE_COLUMNS = ['position', 'name', 'description', 'priceCents', 'quantity'] as const;

type TicketTypeColumns = Record<(typeof TICKET_TYPE_COLUMNS)[number], string | number>;

export function eventColumns(form: Omit<EventForm, 'tickets' | 'affiliateCode'>) {
  const { title, description, street, city, state, postalCode, timezone, participants, latitude, longitude } = form;
  return { title, description, street, city, state, postalCode, timezone, participants, latitude, longitude };
}

export function ticketTypeColumns(row: EventForm['tickets'][number], position: number) {
  return {
    position,
    name: row.ticketName.trim(),
    description: row.ticketDescription.trim(),
    priceCents: centsOf(row.ticketPrice) ?? 0,
    quantity: quantityOf(row.ticketQuantity) ?? 0,
  } satisfies TicketTypeColumns;
}

export type Row<Query extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Query>>[number];

/** An event with its related rows; `photos` are URLs. */
export interface EventParts {
  event: Omit<Row<typeof eventRowsOf>, 'isActive'>;
  types: Row<typeof ticketTypeRows>[];
  photos: string[];
}

export function publicEventReply(
  parts: EventParts,
  organizer: Pick<NonNullable<Awaited<ReturnType<typeof publicEventRow>>>, 'organizationName' | 'organizationBio'>,
): PublicEvent {
  const doors = doorsOpenAt(parts.event);
  return {
    ...eventFields(parts),
    organizationName: organizer.organizationName,
    bio: organizer.organizationBio,
    ...(doors && { doorsOpenAt: doors.toISOString() }),
  };
}

export function eventFields({ event, types, photos }: EventParts) {
  return {
    eventId: event.id,
    title: event.title,
    description: event.description,
    street: event.street,
    city: event.city,
    state: event.state,
    postalCode: event.postalCode,
    timezone: event.timezone,
    startDate_startTime: event.startsAt.toISOString(),
    endDate_endTime: event.endsAt.toISOString(),
    latitude: event.latitude,
    longitude: event.longitude,
    eventPhotos: photos,
    tickets: types.map((type) => ({ ...ticketTypeReply(type), available: shownAvailability(type.available) })),
    ...(event.salesStartAt && { salesStartAt: event.salesStartAt.toISOString() }),
    ...(event.pausedSales && { pausedSales: event.pausedSales }),
    ...(event.buyersPerMinute && { buyersPerMinute: event.buyersPerMinute }),
  };
}

export type TicketTypeRow = EventParts['types'][number];

export function ticketTypeReply(type: TicketTypeRow) {
  return {
    ticketId: type.id,
    ticketName: type.name,
    ticketDescription: type.description,
    ticketPrice: dollarsOf(type.priceCents),
    ticketQuantity: type.quantity,
  };
}

/** Null while the brake is off. */
export const brakeOf = (since: Date | null, reason: string | null): Brake | null =>
  since && reason !== null ? { since: since.toISOString(), reason } : null;

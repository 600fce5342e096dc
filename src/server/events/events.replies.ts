/** Maps event rows to replies. Only the fields listed here leave the server. */

import type { PublicEvent } from '#contract/app/events.ts';

import { shownAvailability } from '#domain/availability.ts';
import { dollarsOf } from '#domain/money.ts';

import type { eventRowsOf, publicEventRow, ticketTypeRows } from './events.sql.ts';

export type Row<Query extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<Query>>[number];

/** An event with its related rows; `photos` are URLs. */
export interface EventParts {
  event: Row<typeof eventRowsOf>;
  types: Row<typeof ticketTypeRows>[];
  photos: string[];
}

export function publicEventReply(
  parts: EventParts,
  organizer: Pick<NonNullable<Awaited<ReturnType<typeof publicEventRow>>>, 'organizationName' | 'organizationBio'>,
): PublicEvent {
  return { ...eventFields(parts), organizationName: organizer.organizationName, bio: organizer.organizationBio };
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
    tickets: types.map((type) => ({ ...ticketTypeFields(type), available: shownAvailability(type.available) })),
    ...(event.salesStartAt && { salesStartAt: event.salesStartAt.toISOString() }),
    ...(event.buyersPerMinute && { buyersPerMinute: event.buyersPerMinute }),
  };
}

type TypeRow = EventParts['types'][number];

export function ticketTypeFields(type: TypeRow) {
  return {
    ticketId: type.id,
    ticketName: type.name,
    ticketDescription: type.description,
    ticketPrice: dollarsOf(type.priceCents),
    ticketQuantity: type.quantity,
  };
}

/** An existing event as the fields of its form, and back without losing what the fields cannot show. */
import type { OrganizerEvent } from '#contract/events.ts';
import { localTimeOf } from '#domain/local-time.ts';
import type { Draft } from './event-draft.ts';
import type { EventEdit } from './rules-of-today.ts';

export function draftOf(event: OrganizerEvent): Draft {
  const { title, description, participants, street, city, state, postalCode, timezone } = event;
  const tickets = event.tickets.flatMap((ticket, row): [string, string][] => [
    [`tickets.${row}.ticketId`, ticket.ticketId],
    [`tickets.${row}.ticketName`, ticket.ticketName],
    [`tickets.${row}.ticketDescription`, ticket.ticketDescription],
    [`tickets.${row}.ticketPrice`, priceText(ticket.ticketPrice)],
    [`tickets.${row}.ticketQuantity`, String(ticket.ticketQuantity)],
  ]);
  return {
    title,
    description,
    participants,
    street,
    city,
    state,
    postalCode,
    timezone,
    latitude: String(event.latitude),
    longitude: String(event.longitude),
    startDate_startTime: onEventsClock(event, event.startDate_startTime),
    endDate_endTime: onEventsClock(event, event.endDate_endTime),
    ...onSaleIn(event),
    ...Object.fromEntries(tickets),
  };
}

function onSaleIn(event: OrganizerEvent): Draft {
  const { salesStartAt, buyersPerMinute } = event;
  return {
    ...(salesStartAt && { salesStart: onEventsClock(event, salesStartAt) }),
    ...(buyersPerMinute && { useWaitingRoom: 'yes', buyersPerMinute: String(buyersPerMinute) }),
  };
}

/**
 * A time that nobody touched goes back as the instant it was: a clock cannot tell seconds, nor the two passes of the
 * hour that daylight saving repeats.
 */
export function withUntouchedTimes(edit: EventEdit, event: OrganizerEvent): EventEdit {
  const isSameZone = edit.timezone === event.timezone;
  const timeOf = (field: 'startDate_startTime' | 'endDate_endTime') =>
    isSameZone && edit[field] === onEventsClock(event, event[field]) ? event[field] : edit[field];
  return {
    ...edit,
    startDate_startTime: timeOf('startDate_startTime'),
    endDate_endTime: timeOf('endDate_endTime'),
    ...(isSameZone && isSalesStartOf(event, edit) && { salesStart: event.salesStartAt }),
  };
}

const isSalesStartOf = (event: OrganizerEvent, { salesStart }: EventEdit) =>
  event.salesStartAt !== undefined && salesStart === onEventsClock(event, event.salesStartAt);

const onEventsClock = (event: OrganizerEvent, instant: string) => localTimeOf(new Date(instant), event.timezone);

const priceText = (dollars: number) => (Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2));

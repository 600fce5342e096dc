/** Converts an event to form fields and back without losing precision the fields can't show. */
import type { OrganizerEvent } from '#contract/app/events.ts';
import { localTimeOf } from '#domain/local-time.ts';
import type { EventEdit } from '#web/profile/form-schemas.ts';
import type { Draft } from './event-draft.ts';
import { ticketTypeFields } from './ticket-type-fields.ts';

export function draftOf(event: OrganizerEvent): Draft {
  const { title, description, participants, street, city, state, postalCode, timezone } = event;
  const tickets = event.tickets.flatMap((ticket, row): [string, string][] => [
    [`tickets.${row}.ticketId`, ticket.ticketId],
    ...ticketTypeFields.map(({ name, typed }): [string, string] => [`tickets.${row}.${name}`, typed(ticket)]),
  ]);
  return {
    title,
    subtitle: event.subtitle ?? '',
    description,
    participants,
    street,
    city,
    state,
    postalCode,
    timezone,
    venueName: event.venueName ?? '',
    isListed: event.isListed ? 'yes' : '',
    latitude: String(event.latitude),
    longitude: String(event.longitude),
    startDate_startTime: onEventsClock(event, event.startDate_startTime),
    endDate_endTime: onEventsClock(event, event.endDate_endTime),
    ...onSaleIn(event),
    checkInOpens: event.checkInOpensAt ? onEventsClock(event, event.checkInOpensAt) : '',
    checkInCloses: event.checkInClosesAt ? onEventsClock(event, event.checkInClosesAt) : '',
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

type TypedTimes = Pick<EventEdit, 'timezone' | 'startDate_startTime' | 'endDate_endTime' | 'salesStart'>;

/**
 * Sends an untouched time as its original instant: the local time has no seconds and is ambiguous in the hour that
 * daylight saving repeats.
 */
export const withUntouchedTimes = (edit: EventEdit, event: OrganizerEvent): EventEdit => {
  const { checkInOpens, checkInCloses, ...rest } = edit;
  const isTouched = (typed: string | undefined, stored: string | null) =>
    typed !== undefined && (edit.timezone !== event.timezone || typed !== (stored ? onEventsClock(event, stored) : ''));
  return {
    ...rest,
    ...timesMeant(edit, event),
    // Untouched hours are left out, so that they move along with the start and the end.
    ...(isTouched(checkInOpens, event.checkInOpensAt) && { checkInOpens }),
    ...(isTouched(checkInCloses, event.checkInClosesAt) && { checkInCloses }),
  };
};

/** The times in the form. Unchanged ones keep their stored instant. */
export function timesMeant(typed: TypedTimes, event: OrganizerEvent) {
  const { timezone, salesStart } = typed;
  const meant = (text: string, stored: string) =>
    timezone === event.timezone && text === onEventsClock(event, stored) ? stored : text;
  return {
    startDate_startTime: meant(typed.startDate_startTime, event.startDate_startTime),
    endDate_endTime: meant(typed.endDate_endTime, event.endDate_endTime),
    ...(salesStart && { salesStart: event.salesStartAt ? meant(salesStart, event.salesStartAt) : salesStart }),
  };
}

const onEventsClock = (event: OrganizerEvent, instant: string) => localTimeOf(new Date(instant), event.timezone);

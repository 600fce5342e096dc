/** The fields that a program sent, as the screens' forms have them. A form has blanks where a program sends null. */
import type { InputOf } from '#contract/endpoint.ts';
import type { createEvent, updateEvent } from '#contract/v1/event-writes.ts';
import type { updateTicketType } from '#contract/v1/ticket-types.ts';
import { dollarsOf } from '#domain/money.ts';
import { camelCase } from '#server/backoffice/api/snake-case.ts';

type Fields = Record<string, unknown>;
type EventFields = Omit<InputOf<typeof createEvent> | InputOf<typeof updateEvent>, 'event_id' | 'ticket_types'>;
type TypeFields = Omit<InputOf<typeof updateTicketType>, 'event_id' | 'ticket_type_id'>;

export function eventFields(event: EventFields): Fields {
  const { venue, buyers_per_minute: perMinute } = event;
  return given({
    title: event.title,
    subtitle: orBlank(event.subtitle),
    description: event.description,
    timezone: event.time_zone,
    startDate_startTime: event.starts_at,
    endDate_endTime: event.ends_at,
    venueName: orBlank(venue?.name),
    street: venue?.street,
    city: venue?.city,
    state: venue?.state,
    postalCode: venue?.postal_code,
    latitude: venue?.latitude,
    longitude: venue?.longitude,
    isListed: event.is_listed,
    maxPerOrder: orBlank(event.max_per_order),
    salesStart: orBlank(event.sales_start_at),
    useWaitingRoom: perMinute === undefined ? undefined : perMinute !== null,
    buyersPerMinute: orBlank(perMinute),
    checkInOpens: orBlank(event.check_in_opens_at),
    checkInCloses: orBlank(event.check_in_closes_at),
  });
}

export function ticketRow({ name, description, price_cents, capacity, suggested_price_cents, ...others }: TypeFields) {
  return given({
    ticketName: name,
    ticketDescription: description,
    ticketPrice: dollars(price_cents),
    ticketQuantity: capacity,
    suggestedPrice: dollars(suggested_price_cents),
    ...namesakes(others),
  });
}

/** Fields whose names differ by their case only. */
const namesakes = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelCase(name), orBlank(value)]));

export function orBlank<Value>(value: Value): Exclude<Value, null> | '' {
  return value === null ? '' : (value as Exclude<Value, null>);
}

export function dollars(cents: number | null | undefined): number | '' | undefined {
  return typeof cents === 'number' ? dollarsOf(cents) : orBlank(cents);
}

/** Without the fields that were not sent. */
export const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

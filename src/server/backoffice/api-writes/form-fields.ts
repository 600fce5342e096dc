/** The fields that a program sent, as the screens' forms have them. A form has blanks where a program sends null. */
import type { InputOf } from '#contract/endpoint.ts';
import type { createEvent, updateEvent } from '#contract/v1/event-writes.ts';
import type { updateTicketType } from '#contract/v1/ticket-type-writes.ts';
import { dollarsOf } from '#domain/money.ts';

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

export const ticketRow = (type: TypeFields): Fields =>
  given({
    ticketName: type.name,
    ticketDescription: type.description,
    ticketPrice: dollars(type.price_cents),
    ticketQuantity: type.capacity,
    hasNamedPrice: type.has_named_price,
    suggestedPrice: dollars(type.suggested_price_cents),
    isHidden: type.is_hidden,
    isAddOn: type.is_add_on,
    access: orBlank(type.access),
    opensAfter: orBlank(type.opens_after),
    salesFrom: orBlank(type.sales_from),
    salesUntil: orBlank(type.sales_until),
    minPerOrder: type.min_per_order,
    maxPerOrder: orBlank(type.max_per_order),
  });

export function orBlank<Value>(value: Value): Exclude<Value, null> | '' {
  return value === null ? '' : (value as Exclude<Value, null>);
}

export function dollars(cents: number | null | undefined): number | '' | undefined {
  return typeof cents === 'number' ? dollarsOf(cents) : orBlank(cents);
}

/** Without the fields that were not sent. */
export const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Maps the event form to columns, for creating and editing. */
import { type EventForm, quantityOf } from '#contract/forms/event-form.ts';
import { centsOf } from '#domain/money.ts';

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
] as const;

/** The same of its ticket types. A change of one of them renews the event's page: see `ticket_types_edit_announced`. */
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

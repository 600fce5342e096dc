/** Maps the event form to columns, for creating and editing. */
import { type EventForm, quantityOf } from '#contract/forms/event-form.ts';
import { centsOf } from '#domain/money.ts';

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
  };
}

/** The fields of a ticket type: how the form asks for each, fills it in, and shows what another window changed. */
import type { OwnTicketType } from '#contract/app/events.ts';
import type { EventForm } from '#contract/forms/event-form.ts';
import { TICKET_DESCRIPTION_MAX, TICKET_NAME_MAX } from '#domain/limits.ts';
import { formatDollars, plural, TICKETS } from '#messages/format.ts';

export interface TicketTypeField {
  name: Exclude<keyof EventForm['tickets'][number], 'ticketId'>;
  /** Of its text field. */
  attributes: {
    label: string;
    hint?: string;
    required?: boolean;
    inputMode?: 'numeric';
    counterMax?: number;
  };
  /** Takes a row of its own; the others share rows of three. */
  isWide?: boolean;
  typed: (type: OwnTicketType) => string;
  /** In the list of changes; empty if the field says nothing. */
  shown: (type: OwnTicketType) => string;
}

export const ticketTypeFields: readonly TicketTypeField[] = [
  {
    name: 'ticketName',
    attributes: { label: 'Name', required: true, counterMax: TICKET_NAME_MAX },
    typed: ({ ticketName }) => ticketName,
    shown: ({ ticketName }) => ticketName,
  },
  {
    name: 'ticketPrice',
    attributes: { label: 'Price', required: true },
    typed: ({ ticketPrice }) => (Number.isInteger(ticketPrice) ? String(ticketPrice) : ticketPrice.toFixed(2)),
    shown: ({ ticketPrice }) => formatDollars(ticketPrice),
  },
  {
    name: 'ticketQuantity',
    attributes: { label: 'Quantity', required: true, inputMode: 'numeric' },
    typed: ({ ticketQuantity }) => String(ticketQuantity),
    shown: ({ ticketQuantity }) => plural(ticketQuantity, TICKETS),
  },
  {
    name: 'ticketDescription',
    attributes: { label: 'Description', required: true, counterMax: TICKET_DESCRIPTION_MAX },
    isWide: true,
    typed: ({ ticketDescription }) => ticketDescription,
    shown: ({ ticketDescription }) => ticketDescription,
  },
];

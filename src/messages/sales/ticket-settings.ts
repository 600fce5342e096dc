/** The *Tickets* screen of an event: when each ticket type sells, and how many of it one order takes. */
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { formatCents } from '#domain/money.ts';
import { formatCount } from '../format.ts';

export const ticketsUpdated = 'Tickets saved';

export const ticketSettings = {
  title: 'Tickets',
  back: 'Your events',
  view: 'View page',
  lead: 'What you sell, when, and how many an order takes.',
  order: 'Every order',
  types: 'Ticket types',
  name: 'Name',
  price: 'Price',
  wanted: 'You want to receive',
  wantedHint: 'Optional. Fills in the price.',
  quantity: 'Quantity',
  description: 'Description',
  orderMax: 'Tickets per order',
  orderMaxHint: `All ticket types together, from 1 to ${ORDER_TICKETS_MAX}. We suggest 10.`,
  salesFrom: 'On sale from',
  salesFromHint: 'Blank: as soon as the event sells.',
  salesUntil: 'On sale until',
  salesUntilHint: 'Blank: until the event ends.',
  minPerOrder: 'Minimum per order',
  minPerOrderHint: 'Blank: 1.',
  maxPerOrder: 'Maximum per order',
  maxPerOrderHint: 'Blank: no limit of its own.',
  /** `zone` is a time zone such as `Eastern Time`. */
  zone: (zone: string) => `All times are in ${zone}.`,
  ticket: (row: number) => `Ticket ${row}`,
  remove: 'Remove',
  removeTicket: (row: number) => `Remove ticket ${row}`,
  add: 'Add ticket type',
  save: 'Save tickets',
  discard: 'Load the latest',
  saveAnyway: 'Save mine anyway',
  discardHint: 'Save yours to replace the other change, or load the latest version and lose what you typed here.',
  notSaved: "We couldn't save the tickets.",
  notLoaded: "We couldn't load the tickets.",
};

interface Taken {
  ticketQuantity: number;
  available: number;
  ticketsSold: number;
}

/** Why a ticket type can't be removed, and how far its quantity can be lowered; null if it can be removed. */
export function takenNote({ ticketQuantity, available, ticketsSold }: Taken): string | null {
  const taken = ticketQuantity - available;
  if (taken === 0) return null;
  return `${formatCount(taken)} ${taken === ticketsSold ? 'sold' : 'sold or being bought'}. You can't go below that or remove this ticket.`;
}

/** Of one ticket; `from`: how many paid tickets a large event has. */
export function receivedNote({ standard, large, from }: { standard: number; large: number; from: number }): string {
  const each = `You receive ${formatCents(standard)} of each`;
  return large === standard
    ? `${each}.`
    : `${each}, or ${formatCents(large)} from ${formatCount(from)} paid tickets on.`;
}

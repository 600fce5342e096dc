/** What tables and CSV files show of each resource. */
import type { Resource } from '../client.ts';
import type { Column } from './formats.ts';

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

const localTime = (instant: string, timeZone: string) =>
  new Date(instant).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });

export const eventRows: Column<Resource<'Event'>>[] = [
  { name: 'ID', of: ({ id }) => id },
  { name: 'STARTS', of: ({ starts_at, time_zone }) => localTime(starts_at, time_zone) },
  { name: 'STATUS', of: ({ status }) => status },
  { name: 'SOLD', of: ({ tickets_sold, capacity }) => `${tickets_sold}/${capacity}` },
  { name: 'TITLE', of: ({ title }) => title },
];

export const orderRows: Column<Resource<'Order'>>[] = [
  { name: 'ID', of: ({ id }) => id },
  { name: 'CREATED', of: ({ created_at }) => created_at },
  { name: 'STATE', of: ({ state }) => state },
  { name: 'TICKETS', of: ({ lines }) => ticketsOf(lines) },
  { name: 'TOTAL', of: ({ total_cents }) => dollars(total_cents) },
  { name: 'BUYER', of: ({ buyer }) => buyer.email },
];

export const ticketRows: Column<Resource<'Ticket'>>[] = [
  { name: 'ID', of: ({ id }) => id },
  { name: 'NUMBER', of: ({ confirmation_number }) => confirmation_number },
  { name: 'STATE', of: ({ state }) => state },
  { name: 'TYPE', of: ({ ticket_type }) => ticket_type },
  { name: 'HOLDER', of: ({ holder }) => holder.name ?? holder.email },
];

export const webhookRows: Column<Resource<'WebhookEndpoint'>>[] = [
  { name: 'ID', of: ({ id }) => id },
  { name: 'STATE', of: ({ state }) => state },
  { name: 'TYPES', of: ({ types }) => types.length },
  { name: 'URL', of: ({ url }) => url },
];

export const orderFile: Column<Resource<'Order'>>[] = [
  { name: 'id', of: ({ id }) => id },
  { name: 'event_id', of: ({ event_id }) => event_id },
  { name: 'state', of: ({ state }) => state },
  { name: 'buyer_name', of: ({ buyer }) => buyer.name },
  { name: 'buyer_email', of: ({ buyer }) => buyer.email },
  { name: 'tickets', of: ({ lines }) => ticketsOf(lines) },
  { name: 'total_cents', of: ({ total_cents }) => total_cents },
  { name: 'discount_cents', of: ({ discount_cents }) => discount_cents },
  { name: 'created_at', of: ({ created_at }) => created_at },
  { name: 'paid_at', of: ({ paid_at }) => paid_at },
];

export const ticketFile: Column<Resource<'Ticket'>>[] = [
  { name: 'id', of: ({ id }) => id },
  { name: 'event_id', of: ({ event_id }) => event_id },
  { name: 'order_id', of: ({ order_id }) => order_id },
  { name: 'ticket_type', of: ({ ticket_type }) => ticket_type },
  { name: 'confirmation_number', of: ({ confirmation_number }) => confirmation_number },
  { name: 'state', of: ({ state }) => state },
  { name: 'is_disputed', of: ({ is_disputed }) => String(is_disputed) },
  { name: 'holder_name', of: ({ holder }) => holder.name },
  { name: 'holder_email', of: ({ holder }) => holder.email },
  { name: 'price_cents', of: ({ price_cents }) => price_cents },
  { name: 'issued_at', of: ({ issued_at }) => issued_at },
  { name: 'checked_in_at', of: ({ checked_in_at }) => checked_in_at },
];

const ticketsOf = (lines: Resource<'Order'>['lines']) => lines.reduce((sum, { quantity }) => sum + quantity, 0);

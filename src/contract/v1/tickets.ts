import * as z from 'zod/mini';
import { cents, instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';

export const ticket = resource(
  'Ticket',
  z.object({
    id: z.string(),
    event_id: z.string(),
    order_id: z.string(),
    ticket_type_id: z.string(),
    ticket_type: z.string().check(z.describe('Its name when the ticket was bought.')),
    confirmation_number: z.string().check(z.describe('What its QR code says.')),
    state: z
      .enum(['valid', 'scanned', 'refunding', 'refunded', 'void'])
      .check(z.describe('`scanned`: its guest is in. `void`: its payment was reversed elsewhere.')),
    is_disputed: z.boolean(),
    holder: z.object({ name: z.nullable(z.string()), email: z.nullable(z.string()) }),
    price_cents: cents(),
    issued_at: instant(),
    checked_in_at: z.nullable(instant()),
  }),
);

export const listTickets = v1Call({
  method: 'GET',
  path: '/api/v1/tickets',
  name: 'listTickets',
  summary: 'Tickets of one event, or of all events that the key reaches, in the order in which they were issued',
  scope: 'orders:read',
  input: z.strictObject({ ...pageFields, event_id: z.optional(z.string()), order_id: z.optional(z.string()) }),
  reply: listOf('TicketList', ticket),
  errors: ['event.not-found', 'input.invalid-cursor'],
});

export const readTicket = v1Call({
  method: 'GET',
  path: '/api/v1/tickets/:ticket_id',
  name: 'readTicket',
  summary: 'One ticket',
  scope: 'orders:read',
  input: z.strictObject({ ticket_id: z.string() }),
  reply: ticket,
  errors: ['check-in.unknown-ticket'],
});

const checkIn = resource(
  'CheckIn',
  z.object({
    ticket_id: z.string(),
    event_id: z.string(),
    result: z
      .enum(['admitted', 'handed_out'])
      .check(z.describe('`handed_out`: an add-on. The answer for any other ticket is an error.')),
    ticket_type: z.string(),
  }),
);

export const checkInTicket = v1Call({
  method: 'POST',
  path: '/api/v1/tickets/:ticket_id/check_in',
  name: 'checkInTicket',
  summary: 'Lets the guest in, once. A repeated request with the same `scan_id` gets the same answer',
  scope: 'check_ins:write',
  input: z.strictObject({
    ticket_id: z.string(),
    scan_id: z.optional(z.uuid()).check(z.describe('Made by the caller for this one scan.')),
  }),
  reply: checkIn,
  errors: [
    'check-in.already-handed-out',
    'check-in.already-in',
    'check-in.closed',
    'check-in.disputed',
    'check-in.event-cancelled',
    'check-in.not-open',
    'check-in.refunded',
    'check-in.refunding',
    'check-in.unknown-ticket',
    'check-in.void',
  ],
});

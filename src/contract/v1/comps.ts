import * as z from 'zod/mini';
import { resource, v1Call } from './v1-call.ts';

const comps = resource(
  'Comps',
  z.object({
    id: z.string(),
    event_id: z.string(),
    tickets: z.array(
      z.object({
        id: z.string(),
        order_id: z.string(),
        ticket_type_id: z.string(),
        confirmation_number: z.string().check(z.describe('What its QR code says.')),
      }),
    ),
  }),
);

export const createComps = v1Call({
  method: 'POST',
  path: '/api/v1/events/:event_id/comps',
  name: 'createComps',
  summary:
    'Adds guests at no charge: all of them, or none if there are too few tickets. Those with an address are emailed their tickets',
  scope: 'guests:write',
  isLarge: true,
  input: z.strictObject({
    event_id: z.string(),
    guests: z.array(
      z.strictObject({
        ticket_type_id: z.string(),
        quantity: z.int(),
        email: z.optional(z.string()).check(z.describe('A guest has an address, a name, or both.')),
        name: z.optional(z.string()),
        door_note: z.optional(z.string()).check(z.describe('Shown when the guest is checked in.')),
      }),
    ),
  }),
  reply: comps,
  errors: [
    'comp.event-ended',
    'comp.too-few-left',
    'comp.too-many',
    'comp.too-many-today',
    'comp.unknown-type',
    'edit.event-cancelled',
    'edit.event-paid-out',
    'event.is-draft',
    'event.not-found',
    'org.suspended',
  ],
  example: { guests: [{ ticket_type_id: '$TICKET_TYPE_ID', quantity: 2, email: 'ada@example.com', name: 'Ada' }] },
});

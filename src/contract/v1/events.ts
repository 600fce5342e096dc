import * as z from 'zod/mini';
import { cents, instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';

const statuses = [
  'draft',
  'scheduled',
  'on_sale',
  'sold_out',
  'paused',
  'today',
  'ended',
  'paid_out',
  'cancelled',
] as const;

const event = resource(
  'Event',
  z.object({
    id: z.string(),
    series_id: z.nullable(z.string()),
    title: z.string(),
    subtitle: z.nullable(z.string()),
    status: z.enum(statuses),
    starts_at: instant(),
    ends_at: instant(),
    time_zone: z.string().check(z.describe('An IANA time zone, in which the event takes place.')),
    venue: z.object({
      name: z.nullable(z.string()),
      street: z.string(),
      city: z.string(),
      state: z.string(),
      postal_code: z.string(),
    }),
    url: z.url().check(z.describe('Where people buy its tickets.')),
    capacity: z.int().check(z.describe('Tickets of all types that can be sold.')),
    tickets_sold: z.int().check(z.describe('Tickets whose guests can come or came, with those at no charge.')),
    page_version: z.int().check(z.describe('Counts what buyers see of it. 0: never published.')),
    created_at: instant(),
    published_at: z.nullable(instant()),
    cancelled_at: z.nullable(instant()),
  }),
);

const ticketType = resource(
  'TicketType',
  z.object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    description: z.string(),
    price_cents: cents().check(z.describe('US cents. The least, if buyers name their price.')),
    has_named_price: z.boolean(),
    capacity: z.int(),
    sold: z.int(),
    is_hidden: z.boolean().check(z.describe('Shown only with a promo code that unlocks it.')),
    is_add_on: z.boolean().check(z.describe("Handed out at the door; doesn't admit.")),
    sales_from: z.nullable(instant()),
    sales_until: z.nullable(instant()),
    max_per_order: z.nullable(z.int()),
    min_per_order: z.int(),
  }),
);

export const listEvents = v1Call({
  method: 'GET',
  path: '/api/v1/events',
  name: 'listEvents',
  summary: 'All events that the key reaches, in the order in which they were created',
  scope: 'events:read',
  input: z.strictObject(pageFields),
  reply: listOf('EventList', event),
  errors: ['input.invalid-cursor'],
});

export const readEvent = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id',
  name: 'readEvent',
  summary: 'One event',
  scope: 'events:read',
  input: z.strictObject({ event_id: z.string() }),
  reply: event,
  errors: ['event.not-found'],
});

export const listTicketTypes = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id/ticket_types',
  name: 'listTicketTypes',
  summary: "An event's ticket types, in the order of its page",
  scope: 'events:read',
  input: z.strictObject({ event_id: z.string() }),
  reply: resource('TicketTypeList', z.object({ data: z.array(ticketType) })),
  errors: ['event.not-found'],
});

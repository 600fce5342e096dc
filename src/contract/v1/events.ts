/** Events, as programs read them. */
import * as z from 'zod/mini';
import { instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';
import { venue } from './venue.ts';

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

export const event = resource(
  'Event',
  z.object({
    id: z.string(),
    series_id: z.nullable(z.string()),
    title: z.string(),
    subtitle: z.nullable(z.string()).check(z.describe('Tells a date from the others of its series.')),
    description: z.string().check(z.describe('As typed, with its marks.')),
    status: z.enum(statuses),
    starts_at: instant(),
    ends_at: instant(),
    time_zone: z.string().check(z.describe('An IANA time zone, in which the event takes place.')),
    venue: z.extend(venue, { latitude: z.number(), longitude: z.number() }),
    tax: z
      .nullable(z.object({ name: z.string(), rate: z.int().check(z.describe('Thousandths of a percent.')) }))
      .check(z.describe('That the prices of new orders include.')),
    url: z.url().check(z.describe('Where people buy its tickets.')),
    is_listed: z.boolean().check(z.describe("On the organization's page and in search results.")),
    max_per_order: z.int().check(z.describe('Tickets of all types in one order.')),
    sales_start_at: z.nullable(instant()).check(z.describe('Null: sales start when it is published.')),
    buyers_per_minute: z.nullable(z.int()).check(z.describe('Of its waiting room, if it has one.')),
    check_in_opens_at: z.nullable(instant()),
    check_in_closes_at: z.nullable(instant()),
    capacity: z.int().check(z.describe('Tickets of all types that can be sold.')),
    tickets_sold: z.int().check(z.describe('Tickets whose guests can come or came, with those at no charge.')),
    page_version: z.int().check(z.describe('Counts what buyers see of it. 0: never published.')),
    created_at: instant(),
    published_at: z.nullable(instant()),
    cancelled_at: z.nullable(instant()),
  }),
);

export const listEvents = v1Call({
  method: 'GET',
  path: '/api/v1/events',
  name: 'listEvents',
  summary: 'All events that the key reaches, in the order in which they were created',
  scope: 'events:read',
  input: z.strictObject({ ...pageFields, series_id: z.optional(z.string()) }),
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

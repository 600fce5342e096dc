/** What programs change of ticket types, and the capacities that these share. */
import * as z from 'zod/mini';
import { ACCESS_KINDS } from '#domain/sales/access.ts';
import { ticketType } from './events.ts';
import { anyInstant, centsToSet, resource, v1Call } from './v1-call.ts';

const always = {
  name: z.string(),
  description: z.string(),
  price_cents: centsToSet().check(z.describe('US cents. 0 for free tickets.')),
  capacity: z.int(),
};

const sometimes = {
  has_named_price: z.optional(z.boolean()),
  suggested_price_cents: z.optional(z.nullable(centsToSet())),
  is_hidden: z.optional(z.boolean()),
  is_add_on: z.optional(z.boolean()),
  access: z.optional(z.nullable(z.enum(ACCESS_KINDS))),
  opens_after: z
    .optional(z.nullable(z.string()))
    .check(z.describe('The id or the name of the ticket type that has to sell out first.')),
  sales_from: z.optional(z.nullable(anyInstant())),
  sales_until: z.optional(z.nullable(anyInstant())),
  max_per_order: z.optional(z.nullable(z.int())),
  min_per_order: z.optional(z.int()),
};

export const newTicketType = z.strictObject({ ...always, ...sometimes });

const editErrors = [
  'edit.changed-too-often',
  'edit.event-cancelled',
  'edit.event-paid-out',
  'event.not-found',
  'org.suspended',
] as const;

export const createTicketType = v1Call({
  method: 'POST',
  path: '/api/v1/events/:event_id/ticket_types',
  name: 'createTicketType',
  summary: 'Adds a ticket type, the last of the page',
  scope: 'events:write',
  input: z.strictObject({ event_id: z.string(), ...always, ...sometimes }),
  reply: ticketType,
  errors: [...editErrors, 'onboarding.incomplete'],
  example: { name: 'Gallery', description: 'Seated', price_cents: 3850, capacity: 10 },
});

export const updateTicketType = v1Call({
  method: 'PATCH',
  path: '/api/v1/events/:event_id/ticket_types/:ticket_type_id',
  name: 'updateTicketType',
  summary: 'Changes the fields that are sent. Tickets that are sold keep their price',
  scope: 'events:write',
  input: z.strictObject({
    event_id: z.string(),
    ticket_type_id: z.string(),
    ...z.partial(z.object(always)).shape,
    ...sometimes,
  }),
  reply: ticketType,
  errors: [
    ...editErrors,
    'edit.add-on-sold',
    'edit.quantity-below-sold',
    'onboarding.incomplete',
    'ticket-type.not-found',
  ],
  example: { capacity: 120 },
});

const share = z.strictObject({
  ticket_type_id: z.string(),
  units: z.int().check(z.describe('What a ticket takes of the capacity.')),
});

const sharedCapacity = resource(
  'SharedCapacity',
  z.object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    capacity: z.int(),
    reserved: z.int().check(z.describe('Units that are sold or being bought.')),
    ticket_types: z.array(z.object({ ticket_type_id: z.string(), units: z.int() })),
  }),
);

export const listSharedCapacities = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id/shared_capacities',
  name: 'listSharedCapacities',
  summary: 'Capacities that several ticket types of an event sell from',
  scope: 'events:read',
  input: z.strictObject({ event_id: z.string() }),
  reply: resource('SharedCapacityList', z.object({ data: z.array(sharedCapacity) })),
  errors: ['event.not-found'],
});

export const createSharedCapacity = v1Call({
  method: 'POST',
  path: '/api/v1/events/:event_id/shared_capacities',
  name: 'createSharedCapacity',
  summary: 'Makes ticket types sell from one capacity, besides their own',
  scope: 'events:write',
  input: z.strictObject({
    event_id: z.string(),
    name: z.string(),
    capacity: z.int(),
    ticket_types: z.array(share),
  }),
  reply: sharedCapacity,
  errors: [...editErrors, 'capacity.below-reserved', 'ticket-type.not-found'],
  example: { name: 'Seats', capacity: 80, ticket_types: [{ ticket_type_id: '$TICKET_TYPE_ID', units: 1 }] },
});

export const updateSharedCapacity = v1Call({
  method: 'PATCH',
  path: '/api/v1/events/:event_id/shared_capacities/:shared_capacity_id',
  name: 'updateSharedCapacity',
  summary: 'Changes the fields that are sent',
  scope: 'events:write',
  input: z.strictObject({
    event_id: z.string(),
    shared_capacity_id: z.string(),
    name: z.optional(z.string()),
    capacity: z.optional(z.int()),
    ticket_types: z.optional(z.array(share)),
  }),
  reply: sharedCapacity,
  errors: [...editErrors, 'capacity.below-reserved', 'capacity.not-found', 'ticket-type.not-found'],
  example: { capacity: 90 },
});

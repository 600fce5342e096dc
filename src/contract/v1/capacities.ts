/** Capacities that several ticket types sell from, as programs read and change them. */
import * as z from 'zod/mini';
import { editErrors } from './ticket-types.ts';
import { resource, v1Call } from './v1-call.ts';

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

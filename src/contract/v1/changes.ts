import * as z from 'zod/mini';
import { event } from './events.ts';
import { order } from './orders.ts';
import { ticket } from './tickets.ts';
import { pageFields, resource, v1Call } from './v1-call.ts';

const change = resource(
  'Change',
  z.object({
    object: z.enum(['event', 'order', 'ticket']).check(z.describe('Which of the three fields is set.')),
    event: z.nullable(event),
    order: z.nullable(order),
    ticket: z.nullable(ticket),
  }),
);

export const listChanges = v1Call({
  method: 'GET',
  path: '/api/v1/changes',
  name: 'listChanges',
  summary:
    'What has changed since `after`, each as it is now; without `after`, everything. Something may come twice, but nothing is left out. Orders and tickets come with `orders:read` only',
  scope: 'events:read',
  input: z.strictObject({
    limit: pageFields.limit,
    after: z.optional(z.string().check(z.maxLength(500))).check(z.describe('`next_cursor` of the answer before.')),
    event_id: z.optional(z.string()),
  }),
  reply: resource(
    'ChangeList',
    z.object({
      data: z.array(change),
      next_cursor: z.string().check(z.describe('Keep it, and ask with it from here on.')),
      has_more: z.boolean().check(z.describe('Whether to ask again at once.')),
    }),
  ),
  errors: ['changes.cursor-reset', 'event.not-found'],
});

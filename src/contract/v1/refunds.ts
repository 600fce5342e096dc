import * as z from 'zod/mini';
import { cents, instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';

const reasons = ['requested', 'organizer', 'event_cancelled', 'unfulfillable_order', 'withdrawn', 'external'] as const;

const states = ['claimed', 'sent', 'refused', 'restored', 'failed'] as const;

export const refund = resource(
  'Refund',
  z.object({
    id: z.string(),
    event_id: z.string(),
    order_id: z.string(),
    ticket_id: z.nullable(z.string()).check(z.describe('Null: of the order as a whole.')),
    amount_cents: cents(),
    reason: z
      .enum(reasons)
      .check(z.describe('`requested`: by the buyer. `withdrawn`: a guest at no charge. `external`: made at Stripe.')),
    state: z
      .enum(states)
      .check(
        z.describe(
          '`claimed`: on its way to Stripe. `restored`: the buyer kept the ticket. `refused`: denied for good. `failed`: the money came back.',
        ),
      ),
    created_at: instant(),
    sent_at: z.nullable(instant()),
  }),
);

export const listRefunds = v1Call({
  method: 'GET',
  path: '/api/v1/refunds',
  name: 'listRefunds',
  summary: 'Refunds of one event, or of all events that the key reaches, in the order in which they were made',
  scope: 'orders:read',
  input: z.strictObject({ ...pageFields, event_id: z.optional(z.string()), order_id: z.optional(z.string()) }),
  reply: listOf('RefundList', refund),
  errors: ['event.not-found', 'input.invalid-cursor'],
});

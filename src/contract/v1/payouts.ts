import * as z from 'zod/mini';
import { cents, instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';

const states = ['requested', 'awaiting_funds', 'awaiting_account', 'paid'] as const;

export const payout = resource(
  'Payout',
  z.object({
    id: z.string(),
    event_id: z.string(),
    number: z.int().check(z.describe('1 is the first payout of its event.')),
    state: z.enum(states),
    amount_cents: cents().check(z.describe('US cents, as transferred. 0: an earlier debt took all of it.')),
    statement: z
      .object({
        tickets_sold: z.int(),
        gross_cents: cents().check(z.describe('US cents, of sold tickets, also of those on hold.')),
        on_hold_cents: cents().check(z.describe('US cents, of disputed tickets.')),
        ticket_fees_cents: cents(),
        processing_fee_cents: cents(),
        deducted_cents: cents().check(
          z.describe('US cents, of refunds and lost disputes of buyers who keep their tickets.'),
        ),
        refund_costs_cents: cents(),
        debt_deducted_cents: cents(),
        held_cents: cents().check(z.describe('US cents, paid later.')),
      })
      .check(z.describe('The gross less everything below it is the amount.')),
    requested_at: instant(),
    paid_at: z.nullable(instant()),
    transfer_id: z.nullable(z.string()).check(z.describe('At Stripe.')),
  }),
);

export const listPayouts = v1Call({
  method: 'GET',
  path: '/api/v1/payouts',
  name: 'listPayouts',
  summary: 'Payouts of one event, or of all events that the key reaches, in the order in which they were requested',
  scope: 'reports:read',
  input: z.strictObject({ ...pageFields, event_id: z.optional(z.string()) }),
  reply: listOf('PayoutList', payout),
  errors: ['event.not-found', 'input.invalid-cursor'],
});

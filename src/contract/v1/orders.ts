import * as z from 'zod/mini';
import { cents, instant, listOf, pageFields, resource, v1Call } from './v1-call.ts';

const states = ['reserved', 'expired', 'paid', 'unfulfillable', 'needs_review'] as const;

export const order = resource(
  'Order',
  z.object({
    id: z.string(),
    event_id: z.string(),
    state: z
      .enum(states)
      .check(
        z.describe('`unfulfillable`: paid and refunded, since nothing was left. `needs_review`: the payment differs.'),
      ),
    buyer: z.object({ name: z.nullable(z.string()), email: z.nullable(z.string()) }),
    total_cents: cents(),
    discount_cents: cents(),
    tax_cents: cents().check(z.describe('US cents of sales tax that the total includes.')),
    lines: z.array(
      z.object({
        id: z.string(),
        ticket_type_id: z.string(),
        name: z.string(),
        quantity: z.int(),
        list_price_cents: cents(),
        discount_cents: cents().check(z.describe('US cents, of each ticket.')),
        unit_price_cents: cents(),
        source: z.enum(['list', 'promo', 'named', 'comp', 'door']).check(z.describe('Where the price comes from.')),
        promo_code: z.nullable(z.string()),
      }),
    ),
    created_at: instant(),
    paid_at: z.nullable(instant()),
  }),
);

export const listOrders = v1Call({
  method: 'GET',
  path: '/api/v1/orders',
  name: 'listOrders',
  summary: 'Orders of one event, or of all events that the key reaches, in the order in which they were made',
  scope: 'orders:read',
  input: z.strictObject({ ...pageFields, event_id: z.optional(z.string()) }),
  reply: listOf('OrderList', order),
  errors: ['event.not-found', 'input.invalid-cursor'],
});

export const readOrder = v1Call({
  method: 'GET',
  path: '/api/v1/orders/:order_id',
  name: 'readOrder',
  summary: 'One order',
  scope: 'orders:read',
  input: z.strictObject({ order_id: z.string() }),
  reply: order,
  errors: ['orders.unknown'],
});

import * as z from 'zod/mini';
import { because } from '#contract/forms/form-problem.ts';
import { cents, resource, v1Call } from './v1-call.ts';

const figures = {
  tickets: z.int().check(z.describe('Issued on the day, whatever became of them.')),
  gross_cents: cents().check(z.describe('US cents that buyers paid for them.')),
  discount_cents: cents().check(z.describe('US cents that promo codes took off their prices.')),
  refunded_tickets: z
    .int()
    .check(
      z.describe('Refunded on the day, or voided because a bank, or a refund made at Stripe, reversed the payment.'),
    ),
  refunded_cents: cents(),
};

const report = resource(
  'SalesReport',
  z.object({
    event_id: z.string(),
    time_zone: z.string().check(z.describe('An IANA time zone, in which days begin and end.')),
    from: z.iso.date(),
    until: z.iso.date(),
    totals: z.object(figures),
    data: z.array(
      z.object({
        day: z.iso.date(),
        part: z
          .nullable(z.object({ id: z.nullable(z.string()), name: z.string() }))
          .check(
            z.describe('What the day is split by; null without `split`. An `id` of null: no link, or no promo code.'),
          ),
        ...figures,
      }),
    ),
  }),
);

const day = () => z.optional(z.iso.date());

export const salesReport = v1Call({
  method: 'GET',
  path: '/api/v1/reports/sales',
  name: 'readSalesReport',
  summary: "An event's sales and refunds by day. Days without any are left out",
  scope: 'reports:read',
  input: z
    .strictObject({
      event_id: z.string(),
      from: day().check(z.describe('The first day, in the time zone of the event.')),
      until: day().check(z.describe('The last day.')),
      split: z.optional(z.enum(['ticket_type', 'channel', 'link', 'promo_code'])),
    })
    .check(z.refine(({ from, until }) => !from || !until || from <= until, because('invalid'))),
  reply: report,
  errors: ['event.not-found'],
});

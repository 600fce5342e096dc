/** The sales of an event by day, and by what they can be split by. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { salesSplits } from '#domain/reports/sales-report.ts';

/** A day in the event's time zone. */
const day = z.iso.date();

const figures = {
  tickets: z.int(),
  grossCents: z.int(),
  discountCents: z.int(),
  /** With those whose payment a bank reversed, or a refund made at Stripe. */
  refundedTickets: z.int(),
  refundedCents: z.int(),
};

const period = z.object({ from: z.string(), until: z.string() });

export const eventSales = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/sales',
  access: 'organizer',
  input: z
    .object({
      eventId: z.string(),
      from: z.optional(day),
      until: z.optional(day),
      split: z.optional(z.enum(salesSplits)),
    })
    .check(z.refine(({ from, until }) => !from || !until || from <= until, because('invalid'))),
  reply: z.object({
    today: z.string(),
    /** From the first sale to today, or to the event's last day. */
    whole: period,
    /** What of it was asked for. */
    period,
    hasSales: z.boolean(),
    totals: z.object(figures),
    /** Refunds that are not sent yet: of all days. */
    underWay: z.object({ tickets: z.int(), cents: z.int() }),
    /** Every day of the period. */
    days: z.array(z.object({ day: z.string(), ...figures })),
    /** By what was asked for, those that sold the most first. */
    parts: z.array(z.object({ id: z.nullable(z.string()), name: z.string(), ...figures })),
  }),
});

export type EventSales = z.infer<(typeof eventSales)['reply']>;

/** The sales tax that the prices of an event include. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { includedTaxForm } from '#contract/forms/included-tax.ts';
import { messageReply } from '#contract/message-reply.ts';

export const eventTax = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/tax',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    /** Of orders from now on. */
    tax: z.nullable(z.object({ rate: z.int(), label: z.string() })),
    mayEdit: z.boolean(),
    /** In tickets that were sold and not refunded, by rate; newest first. */
    shares: z.array(
      z.object({
        since: z.string(),
        rate: z.int(),
        label: z.string(),
        tickets: z.int(),
        grossCents: z.int(),
        taxCents: z.int(),
      }),
    ),
  }),
});

export type EventTax = z.infer<(typeof eventTax)['reply']>;

/** Earlier orders keep theirs. */
export const editEventTax = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/tax',
  access: 'organizer',
  input: z.extend(includedTaxForm, { eventId: z.string() }),
  reply: messageReply,
});

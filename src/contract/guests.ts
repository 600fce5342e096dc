/** The guest list of an event, for its organizer. */
import * as z from 'zod/mini';
import { GUESTS_PER_PAGE_MAX } from '#domain/limits.ts';
import { endpoint } from './endpoint.ts';
import { sentence } from './sentences.ts';

/** `refunding`: the money is on its way back. `disputed`: the buyer's bank asks for it. `void`: it was taken back elsewhere. */
export const guestStates = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'] as const;

export type GuestState = (typeof guestStates)[number];

/** What the organizer reads beside a guest whose ticket is not simply good. */
export const guestStateWords: Record<Exclude<GuestState, 'valid' | 'scanned'>, string> = {
  refunding: 'Refund on its way',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Payment disputed',
};

/** Of the box beside the search. */
export const guestsGivenBack = 'Also tickets that were given back';

export const guestList = z.array(
  z.object({
    email: z.string(),
    confirmationNumber: z.string(),
    ticketScanned: z.boolean(),
    state: z.enum(guestStates),
    ticketName: z.string(),
    /** Dollars. */
    ticketPrice: z.number(),
  }),
);

export type Guest = z.infer<typeof guestList>[number];

export const guestPage = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guests',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    /** Cursor of an earlier page. */
    after: z.optional(z.string().check(z.maxLength(100))),
    /** Part of an e-mail address, or the start of a confirmation number. */
    q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    /** Also those whose tickets are not sold any more. A search finds them without asking. */
    all: z.optional(z.literal('1')),
    limit: z.optional(
      z.pipe(z.pipe(z.string(), z.transform(Number)), z.int().check(z.gte(1), z.lte(GUESTS_PER_PAGE_MAX))),
    ),
  }),
  reply: z.object({ guestList, guestListNext: z.nullable(z.string()) }),
});

export const resendTicket = endpoint({
  method: 'POST',
  path: '/api/protected/resend-ticket',
  access: 'organizer',
  input: z.object({ email: z.string(), confirmationNumber: z.string() }),
  reply: sentence,
});

export const ticketResent = 'Ticket resent successfully';
export const resendRefusals = {
  'unknown-ticket': 'No ticket of yours has this email and confirmation number.',
  'ticket-refunded': 'This ticket was refunded, so there is nothing to send.',
};

/** An event's guest list, for its organizer. */
import * as z from 'zod/mini';
import { shownAnswers } from '#contract/app/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import { GUESTS_PER_PAGE_MAX } from '#domain/limits.ts';

/** `refunding`: a refund is pending. `disputed`: the payment is disputed. `void`: the payment was reversed elsewhere. */
export const guestStates = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'] as const;

export type GuestState = (typeof guestStates)[number];

export const guestList = z.array(
  z.object({
    /** To correct the address of. */
    orderId: z.string(),
    ticketId: z.string(),
    /** Blank for a guest whom the organizer added by name. */
    email: z.string(),
    confirmationNumber: z.string(),
    ticketScanned: z.boolean(),
    state: z.enum(guestStates),
    ticketName: z.string(),
    /** Dollars. */
    ticketPrice: z.number(),
    name: z.optional(z.string()),
    /** Who paid, for a guest without a name. */
    buyerName: z.optional(z.string()),
    /** Of the ticket and of its order. */
    answers: z.optional(shownAnswers),
    /** Added by the organizer at no charge. */
    isComp: z.optional(z.boolean()),
    /** The address is that of its holder, who didn't order it. */
    isTransferred: z.optional(z.boolean()),
    /** What the organizer wants the door to know. */
    doorNote: z.optional(z.string()),
  }),
);

export type Guest = z.infer<typeof guestList>[number];

export const guestPage = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guests',
  access: 'organizer',
  input: z.object({
    eventId: z.string(),
    /** Cursor of the previous page. */
    after: z.optional(z.uuid()),
    /** Part of an email address, or the start of a confirmation number. Long lists match the start of both only. */
    q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    /** Includes refunded and void tickets, which a search always finds. */
    all: z.optional(z.literal('1')),
    limit: z.optional(
      z.pipe(
        z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number)),
        z.int().check(z.gte(1), z.lte(GUESTS_PER_PAGE_MAX)),
      ),
    ),
  }),
  reply: z.object({
    guestList,
    guestListNext: z.nullable(z.string()),
    /** The list is so long that the search matched prefixes only. */
    isByBeginning: z.boolean(),
  }),
});

/** Exports the complete list, in the order of sale. */
export const guestFile = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guests.csv',
  access: 'organizer',
  input: z.pick(guestPage.input, { eventId: true, all: true }),
  reply: z.string(),
});

export const resendTicket = endpoint({
  method: 'POST',
  path: '/api/protected/resend-ticket',
  access: 'organizer',
  input: z.object({ email: z.string(), confirmationNumber: z.string() }),
  reply: messageReply,
});

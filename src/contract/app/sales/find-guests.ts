/** The door's search by name, which organizers turn on for an event. It needs the network, and each search is recorded. */
import * as z from 'zod/mini';
import { checkGuest } from '#contract/app/check-in.ts';
import { listStates } from '#contract/app/check-in-devices.ts';
import { endpoint, type ReplyOf } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { messageReply } from '#contract/message-reply.ts';
import { GUEST_SEARCH_MAX } from '#domain/limits.ts';
import { isLongEnough } from '#domain/sales/guest-search.ts';

/** What this device may do. */
export const nameSearch = endpoint({
  method: 'POST',
  path: '/api/public/name-search',
  access: 'attendant',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    isOn: z.boolean(),
    /** Members check in from a result. Others compare it with the guest's ticket. */
    checksIn: z.boolean(),
  }),
});

/** Finds guests by the beginnings of their names: of each word that is given. */
export const findGuests = endpoint({
  method: 'POST',
  path: '/api/public/find-guests',
  access: 'attendant',
  input: z.object({
    eventId: z.string(),
    name: z
      .string()
      .check(z.trim(), z.maxLength(GUEST_SEARCH_MAX), z.refine(isLongEnough, because('guest-search.too-short'))),
  }),
  reply: z.object({
    guests: z.array(
      z.object({
        name: z.string(),
        ticketName: z.string(),
        isAddOn: z.boolean(),
        state: z.enum(listStates),
        scannedAt: z.nullable(z.int()),
        /** The last two of its number. */
        lastDigits: z.string().check(z.regex(/^\d{2}$/)),
        /** To check it in; null on devices that can't. */
        ticketId: z.nullable(z.uuid()),
      }),
    ),
    isMore: z.boolean(),
  }),
});

export type FoundGuests = ReplyOf<typeof findGuests>;
export type FoundGuest = FoundGuests['guests'][number];

/** For members only: the attendant code opens no guest list. */
export const checkInFoundGuest = endpoint({
  method: 'POST',
  path: '/api/public/check-in-found-guest',
  access: 'attendant',
  input: z.object({ eventId: z.string(), ticketId: z.uuid(), scanId: z.uuid() }),
  reply: checkGuest.reply,
});

/** Turns the search on or off. */
export const editNameSearch = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/name-search',
  access: 'organizer',
  input: z.object({ eventId: z.string(), isOn: z.boolean() }),
  reply: messageReply,
});

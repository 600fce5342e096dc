/** The guest list of an event, for its organizer. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { sentence } from '#contract/messages/requests.ts';
import { GUESTS_PER_PAGE_MAX } from '#domain/limits.ts';

/** `refunding`: the money is on its way back. `disputed`: the buyer's bank asks for it. `void`: it was taken back elsewhere. */
export const guestStates = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'] as const;

export type GuestState = (typeof guestStates)[number];

/** What the organizer reads beside a guest whose ticket is not simply good. */
export const guestStateMessages: Record<Exclude<GuestState, 'valid' | 'scanned'>, string> = {
  refunding: 'Refund on its way',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Payment disputed',
};

/** Of the box beside the search. */
export const refundedGuests = 'Show refunded tickets';

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
    after: z.optional(z.uuid()),
    /** Part of an e-mail address, or the start of a confirmation number. Of a long list: the start of either. */
    q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    /** Also those whose tickets are not sold any more. A search finds them without asking. */
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
    /** The list is so long that only beginnings were searched for. */
    isByBeginning: z.boolean(),
  }),
});

/** The whole list as a file, in the order of sale. */
export const guestFile = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/guests.csv',
  access: 'organizer',
  input: z.pick(guestPage.input, { eventId: true, all: true }),
  reply: z.string(),
});

export interface ExportedGuest extends Guest {
  /** On the event's own clock. */
  scannedAt: string | null;
  boughtAt: string;
}

/** What stands above each column of the file, and in it. */
export function guestFileColumns(timezone: string): [heading: string, cell: (guest: ExportedGuest) => string][] {
  return [
    ['Email', ({ email }) => email],
    ['Confirmation number', ({ confirmationNumber }) => confirmationNumber],
    ['Ticket', ({ ticketName }) => ticketName],
    ['Price (USD)', ({ ticketPrice }) => ticketPrice.toFixed(2)],
    ['Ticket scanned', ({ ticketScanned }) => (ticketScanned ? 'Yes' : 'No')],
    [`Scanned at (${timezone})`, ({ scannedAt }) => scannedAt ?? ''],
    [`Bought at (${timezone})`, ({ boughtAt }) => boughtAt],
    ['Note', ({ state }) => (state === 'valid' || state === 'scanned' ? '' : guestStateMessages[state])],
  ];
}

export const downloadGuestList = 'Download guest list';

/** Under the search of a long list, where the middle of an address is not looked into. */
export const guestSearchHint = 'Type the start of an email or number.';

export const resendTicket = endpoint({
  method: 'POST',
  path: '/api/protected/resend-ticket',
  access: 'organizer',
  input: z.object({ email: z.string(), confirmationNumber: z.string() }),
  reply: sentence,
});

export const ticketResent = 'Ticket resent successfully';
export const resendErrors = {
  'unknown-ticket': "We can't find that ticket.",
  'ticket-refunded': 'This ticket was refunded.',
};

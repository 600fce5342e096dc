/** An event's guest list, for its organizer. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/messages/requests.ts';
import { GUESTS_PER_PAGE_MAX } from '#domain/limits.ts';

/** `refunding`: a refund is pending. `disputed`: the payment is disputed. `void`: the payment was reversed elsewhere. */
export const guestStates = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'] as const;

export type GuestState = (typeof guestStates)[number];

/** Shown next to a guest whose ticket is neither valid nor scanned. */
export const guestStateMessages: Record<Exclude<GuestState, 'valid' | 'scanned'>, string> = {
  refunding: 'Refund on its way',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Payment disputed',
};

/** Label of the filter next to the search field. */
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

export interface ExportedGuest extends Guest {
  /** In the event's time zone. */
  scannedAt: string | null;
  boughtAt: string;
}

/** Heading and cell of each column in the exported file. */
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

/** Shown for long lists, whose search matches prefixes only. */
export const guestSearchHint = 'Type the start of an email or number.';

export const resendTicket = endpoint({
  method: 'POST',
  path: '/api/protected/resend-ticket',
  access: 'organizer',
  input: z.object({ email: z.string(), confirmationNumber: z.string() }),
  reply: messageReply,
});

export const ticketResent = 'Ticket resent successfully';
export const resendErrors = {
  'unknown-ticket': "We can't find that ticket.",
  'ticket-refunded': 'This ticket was refunded.',
};

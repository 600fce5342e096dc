/** The guest list of an event, on the screen and as a file. */
import type { Guest, GuestState } from '#contract/app/guests.ts';

export const guestStateMessages: Record<Exclude<GuestState, 'valid' | 'scanned'>, string> = {
  refunding: 'Refund on its way',
  refunded: 'Refunded',
  void: 'No longer valid',
  disputed: 'Payment disputed',
};

/** Label of the filter next to the search field. */
export const refundedGuests = 'Show refunded tickets';

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

export const ticketResent = 'Ticket resent successfully';

export const guestErrors = {
  'resend.ticket-refunded': 'This ticket was refunded.',
  'resend.unknown-ticket': "We can't find that ticket.",
};

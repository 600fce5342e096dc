/** The guest list of an event, on the screen and as a file. */
import type { Guest, GuestState } from '#contract/app/guests.ts';
import { plural } from './format.ts';

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
  /** Blank without one. */
  answerTo: (questionId: string) => string;
}

/** Heading and cell. */
export type GuestFileColumn = [heading: string, cell: (guest: ExportedGuest) => string];

interface GuestFile {
  timezone: string;
  hasDoorNotes: boolean;
  /** Every one that was ever asked. */
  questions: readonly { id: string; label: string }[];
}

/** What an event asks its buyers comes last, so that the other columns keep their places. */
export function guestFileColumns({ timezone, hasDoorNotes, questions }: GuestFile): GuestFileColumn[] {
  return [
    ['Email', ({ email }) => email],
    ['Confirmation number', ({ confirmationNumber }) => confirmationNumber],
    ['Ticket', ({ ticketName }) => ticketName],
    ['Price (USD)', ({ ticketPrice }) => ticketPrice.toFixed(2)],
    ['Ticket scanned', ({ ticketScanned }) => (ticketScanned ? 'Yes' : 'No')],
    [`Scanned at (${timezone})`, ({ scannedAt }) => scannedAt ?? ''],
    [`Bought at (${timezone})`, ({ boughtAt }) => boughtAt],
    ['Note', (guest) => noteOf(guest).join(', ')],
    ['Name', ({ buyerName = '', name = buyerName }) => name],
    ...(hasDoorNotes ? [['Door note', ({ doorNote = '' }: ExportedGuest) => doorNote] satisfies GuestFileColumn] : []),
    ...questions.map(({ id, label }): GuestFileColumn => [label, ({ answerTo }) => answerTo(id)]),
  ];
}

/** Marks a guest at no charge. */
export const compMark = 'Comp';

/** Marks a guest who got the ticket from its buyer. */
export const transferredMark = 'Transferred';

/** Next to the guest list. */
export const addCompsLink = 'Add comps';

/** After a count of sold tickets. */
export const ofWhichComps = (comps: number): string => `of which ${plural(comps, { one: '# comp', other: '# comps' })}`;

const noteOf = ({ isComp, isTransferred, state }: Guest): string[] => [
  ...(isComp ? [compMark] : []),
  ...(isTransferred ? [transferredMark] : []),
  ...(state === 'valid' || state === 'scanned' ? [] : [guestStateMessages[state]]),
];

export const downloadGuestList = 'Download guest list';

/** Shown for long lists, whose search matches prefixes only. */
export const guestSearchHint = 'Type the start of an email or number.';

export const ticketResent = 'Ticket resent successfully';

export const guestErrors = {
  'guests.unknown': "We can't find that guest.",
  'resend.ticket-refunded': 'This ticket was refunded.',
  'resend.unknown-ticket': "We can't find that ticket.",
};

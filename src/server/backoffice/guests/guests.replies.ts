import type { Guest, GuestState } from '#contract/app/guests.ts';
import { dollarsOf } from '#domain/money.ts';
import { type ExportedGuest } from '#messages/guests.ts';
import type { ExportedRow, GuestRow } from './guests.sql.ts';

export interface GuestPage {
  guestList: Guest[];
  guestListNext: string | null;
}

/** `rows` may hold one row more than `limit`, which indicates a next page. */
export function guestPageReply(rows: readonly GuestRow[], limit: number): GuestPage {
  const page = rows.slice(0, limit);
  return {
    guestList: page.map(guestReply),
    guestListNext: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function guestReply(ticket: GuestRow): Guest {
  return {
    email: ticket.buyerEmail,
    confirmationNumber: ticket.confirmationNumber,
    ticketScanned: ticket.scannedAt !== null,
    state: guestState(ticket),
    ticketName: ticket.ticketName,
    ticketPrice: dollarsOf(ticket.priceCents),
  };
}

export function exportedGuest(ticket: ExportedRow): ExportedGuest {
  return { ...guestReply(ticket), scannedAt: ticket.scannedAtLocal, boughtAt: ticket.issuedAtLocal };
}

/** A scanned ticket stays `scanned` during a dispute: the guest is already in. */
function guestState({ state, disputedAt }: Pick<GuestRow, 'state' | 'disputedAt'>): GuestState {
  return disputedAt !== null && state === 'valid' ? 'disputed' : state;
}

import type { ExportedGuest, Guest, GuestState } from '#contract/guests.ts';
import { dollarsOf } from '#domain/money.ts';
import type { ExportedRow, GuestRow } from './guests.sql.ts';

export interface GuestPage {
  guestList: Guest[];
  guestListNext: string | null;
}

/** `rows` may hold one guest more than the page, which says that there is a next one. */
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
  return { ...guestReply(ticket), scannedAt: ticket.scannedAtThere, boughtAt: ticket.issuedAtThere };
}

/** Somebody who is in stays scanned: that is what the door and the list are about. */
function guestState({ state, disputedAt }: Pick<GuestRow, 'state' | 'disputedAt'>): GuestState {
  return disputedAt !== null && state === 'valid' ? 'disputed' : state;
}

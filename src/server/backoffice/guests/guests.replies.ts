import type { Guest, GuestState } from '#contract/app/guests.ts';
import { dollarsOf } from '#domain/money.ts';
import { shownAnswer, shownAnswers } from '#domain/sales/guest-form.ts';
import { type ExportedGuest } from '#messages/guests.ts';
import type { TicketDetails } from '#server/orders/details/order-guests.sql.ts';
import type { ExportedRow, GuestRow } from './guests.sql.ts';

export interface GuestPage {
  guestList: Guest[];
  guestListNext: string | null;
}

/** `rows` may hold one row more than `limit`, which indicates a next page. */
export function guestPageReply(rows: readonly GuestRow[], limit: number, details: readonly TicketDetails[]): GuestPage {
  const page = rows.slice(0, limit);
  const detailsOf = new Map(details.map((one) => [one.ticketId, one]));
  return {
    guestList: page.map((ticket) => guestReply(ticket, detailsOf.get(ticket.id))),
    guestListNext: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function guestReply(ticket: GuestRow, details: TicketDetails | undefined): Guest {
  const answers = details ? shownAnswers(details.questions, details.answers) : [];
  return {
    orderId: ticket.orderId,
    ticketId: ticket.id,
    email: ticket.buyerEmail ?? '',
    confirmationNumber: ticket.confirmationNumber,
    ticketScanned: ticket.scannedAt !== null,
    state: guestState(ticket),
    ticketName: ticket.ticketName,
    ticketPrice: dollarsOf(ticket.priceCents),
    ...(details?.name ? { name: details.name } : ticket.buyerName && { buyerName: ticket.buyerName }),
    ...(answers.length > 0 && { answers }),
    ...(ticket.isComp && { isComp: true }),
    ...(ticket.isTransferred && { isTransferred: true }),
    ...(details?.doorNote && { doorNote: details.doorNote }),
  };
}

export function exportedGuest(ticket: ExportedRow, details: TicketDetails | undefined): ExportedGuest {
  const given = details?.answers ?? {};
  return {
    ...guestReply(ticket, details),
    scannedAt: ticket.scannedAtLocal,
    boughtAt: ticket.issuedAtLocal,
    answerTo: (questionId) => (given[questionId] === undefined ? '' : shownAnswer(given[questionId])),
  };
}

/** A scanned ticket stays `scanned` during a dispute: the guest is already in. */
export function guestState({ state, disputedAt }: Pick<GuestRow, 'state' | 'disputedAt'>): GuestState {
  return disputedAt !== null && state === 'valid' ? 'disputed' : state;
}

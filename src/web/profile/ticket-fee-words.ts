/** The ticket fee as the event form tells it, estimated for the participants the organizer expects. */
import { formatTicketFee, LARGE_EVENT_TICKETS, ticketFeeCents, ticketFeeRate } from '#domain/fees.ts';

/** The number in what was typed for participants; `about 600` counts as 600. */
export function expectedTickets(participants: string): number {
  return Number(/\d+/.exec(participants)?.[0] ?? 0);
}

export function ticketFeeStatement(participants: number): string {
  const size =
    participants >= LARGE_EVENT_TICKETS
      ? `${LARGE_EVENT_TICKETS} participants or more`
      : `fewer than ${LARGE_EVENT_TICKETS} participants`;
  return `Ticket fee for ${size}: ${formatTicketFee(ticketFeeRate(participants))} a ticket.`;
}

export const reducedFeeNote =
  'The reduced fee depends on the tickets actually sold, not on the participants entered here.';

export function receivedCents(priceCents: number, participants: number): number {
  return Math.max(0, priceCents - ticketFeeCents(priceCents, participants));
}

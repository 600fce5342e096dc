/** The ticket fee as the event form tells it, estimated for the participants the organizer expects. */
import {
  formatTicketFee,
  LARGE_EVENT_TICKETS,
  type SalesAtPrice,
  ticketFeeCents,
  ticketFeeRate,
} from '#domain/fees.ts';
import { payoutStatementOfSales } from '#domain/payout-statement.ts';

/** The number in what was typed for participants; `about 600` counts as 600. */
export function expectedTickets(participants: string): number {
  return Number(/\d+/.exec(participants)?.[0] ?? 0);
}

export function ticketFeeStatement(participants: number): string {
  const size =
    participants >= LARGE_EVENT_TICKETS
      ? `${LARGE_EVENT_TICKETS} participants or more`
      : `fewer than ${LARGE_EVENT_TICKETS} participants`;
  return `Ticket fee for ${size}: ${formatTicketFee(ticketFeeRate(participants))} per paid ticket.`;
}

export const reducedFeeNote =
  'The reduced fee depends on the paid tickets actually sold, not on the participants entered here.';

export function receivedCents(priceCents: number, participants: number): number {
  return Math.max(0, priceCents - ticketFeeCents(priceCents, participants));
}

/** What the event grosses and pays out if every ticket sells, by the rule of the bill. */
export function soldOutStatement(sales: readonly SalesAtPrice[]): { grossCents: number; netCents: number } {
  const { grossCents, netCents } = payoutStatementOfSales(sales, false);
  return { grossCents, netCents: Math.max(0, netCents) };
}

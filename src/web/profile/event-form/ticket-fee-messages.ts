/** Ticket fee on the event form, estimated from the expected participants. */
import {
  formatTicketFee,
  LARGE_EVENT_TICKET_FEE,
  LARGE_EVENT_TICKETS,
  type SalesAtPrice,
  ticketFeeCents,
  ticketFeeRate,
} from '#domain/fees.ts';
import { payoutStatementOfSales } from '#domain/payout-statement.ts';

/** Reads the number from the participants text; `about 600` is 600. */
export function expectedTickets(participants: string): number {
  return Number(/\d+/.exec(participants)?.[0] ?? 0);
}

export function ticketFeeStatement(participants: number): string {
  const fee = `Ticket fee: ${formatTicketFee(ticketFeeRate(participants))} per paid ticket`;
  return participants >= LARGE_EVENT_TICKETS
    ? `${fee} if you sell ${LARGE_EVENT_TICKETS} or more.`
    : `${fee}. Sell ${LARGE_EVENT_TICKETS} or more and it drops to ${formatTicketFee(LARGE_EVENT_TICKET_FEE)} on every one.`;
}

export const reducedFeeNote =
  'The reduced fee depends on paid tickets actually sold, not on the number you enter here.';

export function receivedCents(priceCents: number, participants: number): number {
  return Math.max(0, priceCents - ticketFeeCents(priceCents, participants));
}

/** Gross and net if every ticket sells, by the payout rule. */
export function soldOutStatement(sales: readonly SalesAtPrice[]): { grossCents: number; netCents: number } {
  const { grossCents, netCents } = payoutStatementOfSales(sales, false);
  return { grossCents, netCents: Math.max(0, netCents) };
}

/** Ticket fee on the event form, estimated from the expected participants. */
import { type FeeTerms, formatTicketFee, type SalesAtPrice, ticketFeeCents, ticketFeeRate } from '#domain/fees.ts';
import { payoutStatementOfSales } from '#domain/payout-statement.ts';
import { formatCount } from '#messages/format.ts';

/** Reads the number from the participants text; `about 600` is 600. */
export function expectedTickets(participants: string): number {
  return Number(/\d+/.exec(participants)?.[0] ?? 0);
}

export function ticketFeeStatement(participants: number, terms: FeeTerms): string {
  const fee = `Ticket fee: ${formatTicketFee(ticketFeeRate(participants, terms))} per paid ticket`;
  const large = formatTicketFee(terms.large);
  if (large === formatTicketFee(terms.standard)) return `${fee}.`;
  const from = formatCount(terms.largeFrom);
  return participants >= terms.largeFrom
    ? `${fee} if you sell ${from} or more.`
    : `${fee}. Sell ${from} or more and it drops to ${large} on every one.`;
}

export const reducedFeeNote =
  'The reduced fee depends on paid tickets actually sold, not on the number you enter here.';

export function receivedCents(priceCents: number, participants: number, terms: FeeTerms): number {
  return priceCents - ticketFeeCents(priceCents, participants, terms);
}

/** Gross and net if every ticket sells, by the payout rule. */
export function soldOutStatement(
  sales: readonly SalesAtPrice[],
  terms: FeeTerms,
): { grossCents: number; netCents: number } {
  const { grossCents, netCents } = payoutStatementOfSales(sales, false, { terms });
  return { grossCents, netCents: Math.max(0, netCents) };
}

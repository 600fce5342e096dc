/** The columns of a table of fees that follow from the number of tickets, their price and the terms. */
import { type FeeTerms, ticketFeeCents } from '#domain/fees.ts';
import type { PayoutStatement } from '#domain/payout-statement.ts';

interface Row {
  terms: FeeTerms;
  tickets: number;
  priceCents: number;
}

/** `statement`: of these sales, with or without the processing fee waived. */
export function feeColumns({ terms, tickets, priceCents }: Row, statement: (isWaived: boolean) => PayoutStatement) {
  const full = statement(false);
  const cents = [
    priceCents,
    ticketFeeCents(priceCents, tickets, terms),
    full.ticketFeesCents,
    full.grossCents,
    full.processingFeeCents,
    full.netCents,
    statement(true).netCents,
  ];
  return [String(tickets), ...cents.map((amount) => (amount / 100).toFixed(2))];
}

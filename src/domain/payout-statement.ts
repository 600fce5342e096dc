/** What an organizer is paid for an event, line by line. All money is in whole cents. */
import { type TicketFeeRate, ticketFeeRate, ticketFeesCents } from './fees.ts';
import { PROCESSING_FEE_CENTS } from './plan.ts';

export interface PayoutStatement {
  /** Tickets paid for and not refunded; free ones are no part of a payout. */
  ticketsSold: number;
  grossCents: number;
  rate: TicketFeeRate;
  ticketFeesCents: number;
  /** 0 where it is waived. */
  processingFeeCents: number;
  /** May be negative: a tiny event can owe more in fees than it sold. */
  netCents: number;
}

/** `pricesCents`: what was paid for each ticket that counts. */
export function payoutStatement(pricesCents: readonly number[], processingFeeWaived: boolean): PayoutStatement {
  const paid = pricesCents.filter((price) => price > 0);
  const grossCents = paid.reduce((sum, price) => sum + price, 0);
  const fees = ticketFeesCents(paid);
  const processingFeeCents = processingFeeWaived ? 0 : PROCESSING_FEE_CENTS;
  return {
    ticketsSold: paid.length,
    grossCents,
    rate: ticketFeeRate(paid.length),
    ticketFeesCents: fees,
    processingFeeCents,
    netCents: grossCents - fees - processingFeeCents,
  };
}

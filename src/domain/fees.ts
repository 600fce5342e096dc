/** The platform's ticket fees. All amounts are in whole cents. */

export interface TicketFeeRate {
  /** Hundredths of a percent, which keeps 1.8% an integer. */
  basisPoints: number;
  flatCents: number;
}

/** What an event is billed by, copied from its organization's plan when it is created. */
export interface FeeTerms {
  processingCents: number;
  standard: TicketFeeRate;
  large: TicketFeeRate;
  /** From this many paid tickets on, `large` applies to every paid ticket. */
  largeFrom: number;
}

/**
 * The rate depends on paid tickets only: sold above $0 and not refunded. Free tickets don't count, because organizers
 * could order some to lower their fee; neither does the expected attendance.
 */
export function ticketFeeRate(paidTickets: number, terms: FeeTerms): TicketFeeRate {
  return paidTickets >= terms.largeFrom ? terms.large : terms.standard;
}

/** Half a cent rounds up. Never more than the price, so free tickets have no fee. */
function ticketFeeAt({ basisPoints, flatCents }: TicketFeeRate, priceCents: number): number {
  return Math.min(priceCents, Math.floor((priceCents * basisPoints + 5_000) / 10_000) + flatCents);
}

export function ticketFeeCents(priceCents: number, paidTickets: number, terms: FeeTerms): number {
  return ticketFeeAt(ticketFeeRate(paidTickets, terms), priceCents);
}

/** What the organizer receives of a ticket: of an event that stays below the large fee, and of one that reaches it. */
export function receivedOf(priceCents: number, { standard, large }: FeeTerms): { standard: number; large: number } {
  return {
    standard: priceCents - ticketFeeAt(standard, priceCents),
    large: priceCents - ticketFeeAt(large, priceCents),
  };
}

/** The lowest price of which the organizer receives at least so much below the large fee. */
export function priceToReceive(cents: number, { standard }: FeeTerms): number {
  const { basisPoints, flatCents } = standard;
  // Rounding moves the fee by half a cent at most, so the price is within a few cents of this one.
  let price = Math.max(cents, Math.floor(((cents + flatCents) * 10_000) / (10_000 - basisPoints)) - 2);
  while (price - ticketFeeAt(standard, price) < cents) price += 1;
  return price;
}

/** Rounded per ticket, not on the total: organizers see each fee, and the column must add up. */
export function ticketFeesAt(rate: TicketFeeRate, pricesCents: readonly number[]): number {
  return pricesCents.reduce((sum, price) => sum + ticketFeeAt(rate, price), 0);
}

export interface SalesAtPrice {
  priceCents: number;
  tickets: number;
}

/** `ticketFeesAt` for tickets grouped by price. */
export function ticketFeesOfSales(rate: TicketFeeRate, sales: readonly SalesAtPrice[]): number {
  return sales.reduce((sum, { priceCents, tickets }) => sum + ticketFeeAt(rate, priceCents) * tickets, 0);
}

/** For example `2.0% + $0.75`, or `2.25% + $0.75`. */
export function formatTicketFee({ basisPoints, flatCents }: TicketFeeRate): string {
  return `${(basisPoints / 100).toFixed(basisPoints % 10 === 0 ? 1 : 2)}% + $${(flatCents / 100).toFixed(2)}`;
}

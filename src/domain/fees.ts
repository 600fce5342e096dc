/** The platform's ticket fees. All amounts are in whole cents. */
import { TICKET_PRICE_MAX_CENTS, TICKET_PRICE_MIN_CENTS } from './limits.ts';

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

/** The lowest price of which the organizer receives at least this much at the standard fee; the highest price if none does. */
export function priceToReceive(cents: number, { standard }: FeeTerms): number {
  let [low, high] = [TICKET_PRICE_MIN_CENTS, TICKET_PRICE_MAX_CENTS];
  // A higher price never yields less.
  while (low < high) {
    const price = Math.floor((low + high) / 2);
    if (price - ticketFeeAt(standard, price) < cents) low = price + 1;
    else high = price;
  }
  return low;
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

/** The platform's ticket fees. All amounts are in whole cents. */

/** From this many paid tickets on, the lower rate applies to every paid ticket of the event. */
export const LARGE_EVENT_TICKETS = 500;

export interface TicketFeeRate {
  /** Hundredths of a percent, which keeps 1.8% an integer. */
  basisPoints: number;
  flatCents: number;
}

export const STANDARD_TICKET_FEE: TicketFeeRate = { basisPoints: 200, flatCents: 75 };
export const LARGE_EVENT_TICKET_FEE: TicketFeeRate = { basisPoints: 180, flatCents: 50 };

/**
 * The rate depends on paid tickets only: sold above $0 and not refunded. Free tickets don't count, because organizers
 * could order some to lower their fee; neither does the expected attendance.
 */
export function ticketFeeRate(paidTickets: number): TicketFeeRate {
  return paidTickets >= LARGE_EVENT_TICKETS ? LARGE_EVENT_TICKET_FEE : STANDARD_TICKET_FEE;
}

/** Half a cent rounds up. Free tickets have no fee. */
function ticketFeeAt({ basisPoints, flatCents }: TicketFeeRate, priceCents: number): number {
  if (priceCents === 0) return 0;
  return Math.floor((priceCents * basisPoints + 5_000) / 10_000) + flatCents;
}

export function ticketFeeCents(priceCents: number, paidTickets: number): number {
  return ticketFeeAt(ticketFeeRate(paidTickets), priceCents);
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

/** For example `2.0% + $0.75`. */
export function formatTicketFee({ basisPoints, flatCents }: TicketFeeRate): string {
  return `${(basisPoints / 100).toFixed(1)}% + $${(flatCents / 100).toFixed(2)}`;
}

/** What the platform keeps of each ticket. All money is in whole cents. */

/** From this many paid tickets on, all paid tickets of the event bear the lower rate. */
export const LARGE_EVENT_TICKETS = 500;

export interface TicketFeeRate {
  /** Hundredths of a percent, so that 1.8 % stays a whole number. */
  basisPoints: number;
  flatCents: number;
}

export const STANDARD_TICKET_FEE: TicketFeeRate = { basisPoints: 200, flatCents: 75 };
export const LARGE_EVENT_TICKET_FEE: TicketFeeRate = { basisPoints: 180, flatCents: 50 };

/**
 * The rate follows the paid tickets: sold at a price above 0 and not refunded. Free tickets do not count, so nobody lowers
 * their fee by ordering some. The attendance that the organizer expects does not count either.
 */
export function ticketFeeRate(paidTickets: number): TicketFeeRate {
  return paidTickets >= LARGE_EVENT_TICKETS ? LARGE_EVENT_TICKET_FEE : STANDARD_TICKET_FEE;
}

/** Half a cent rounds up. A free ticket bears no fee. */
function ticketFeeAt({ basisPoints, flatCents }: TicketFeeRate, priceCents: number): number {
  if (priceCents === 0) return 0;
  return Math.floor((priceCents * basisPoints + 5_000) / 10_000) + flatCents;
}

export function ticketFeeCents(priceCents: number, paidTickets: number): number {
  return ticketFeeAt(ticketFeeRate(paidTickets), priceCents);
}

/** Rounded per ticket, not on the total: the organizer sees each ticket's fee, and the column must add up. */
export function ticketFeesAt(rate: TicketFeeRate, pricesCents: readonly number[]): number {
  return pricesCents.reduce((sum, price) => sum + ticketFeeAt(rate, price), 0);
}

export interface SalesAtPrice {
  priceCents: number;
  tickets: number;
}

/** The same, where many tickets share a price. */
export function ticketFeesOfSales(rate: TicketFeeRate, sales: readonly SalesAtPrice[]): number {
  return sales.reduce((sum, { priceCents, tickets }) => sum + ticketFeeAt(rate, priceCents) * tickets, 0);
}

/** `2.0% + $0.75`, as every page writes it. */
export function formatTicketFee({ basisPoints, flatCents }: TicketFeeRate): string {
  return `${(basisPoints / 100).toFixed(1)}% + $${(flatCents / 100).toFixed(2)}`;
}

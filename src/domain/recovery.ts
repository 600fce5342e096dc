/** What an organizer gives back of a payout when money of an order that it paid for is gone. All money is in whole cents. */
import { type TicketFeeRate, ticketFeesAt } from './fees.ts';

/** The payout's share in an order. */
export interface PaidOut {
  /** Of the tickets that the payout paid for. */
  pricesCents: readonly number[];
  /** Left out of the payout, or taken back already. */
  takenCents: number;
  rate: TicketFeeRate;
}

export interface ReversalShares {
  grossCents: number;
  /** Ticket fees that go back to the organizer with it. */
  feesCents: number;
}

/** `null` where nothing is left to give back: never more comes back than the order's tickets brought. */
export function reversalShares(goneCents: number, { pricesCents, takenCents, rate }: PaidOut): ReversalShares | null {
  const paidCents = pricesCents.reduce((sum, price) => sum + price, 0) - takenCents;
  const grossCents = Math.min(goneCents, paidCents);
  if (grossCents <= 0) return null;

  // Fees belong to tickets: they go back once nothing of the tickets' prices is left, and not for a part of them.
  const isAll = grossCents === paidCents;
  return { grossCents, feesCents: isAll ? Math.min(grossCents, ticketFeesAt(rate, pricesCents)) : 0 };
}

/** How much of a payout is reversed when an order loses money after it was paid out. All amounts are in whole cents. */
import { type TicketFeeRate, ticketFeesAt } from './fees.ts';

/** An order's share of a payout. */
export interface PaidOutShare {
  /** Prices of the tickets that the payout included. */
  pricesCents: readonly number[];
  /** Excluded from the payout, or already reversed. */
  takenCents: number;
  rate: TicketFeeRate;
}

export interface ReversalShares {
  grossCents: number;
  /** Ticket fees returned to the organizer with it. */
  feesCents: number;
}

/** `null` if nothing is left to reverse: reversals never exceed what the order's tickets brought in. */
export function reversalShares(
  lostCents: number,
  { pricesCents, takenCents, rate }: PaidOutShare,
): ReversalShares | null {
  const paidCents = pricesCents.reduce((sum, price) => sum + price, 0) - takenCents;
  const grossCents = Math.min(lostCents, paidCents);
  if (grossCents <= 0) return null;

  // Fees are per ticket, so they are returned only once the full price is reversed.
  const isFullReversal = grossCents === paidCents;
  return { grossCents, feesCents: isFullReversal ? Math.min(grossCents, ticketFeesAt(rate, pricesCents)) : 0 };
}

/** Why we ended a refund or a transfer reversal ourselves. What Stripe refused is stored in Stripe's words. */
export type OwnFailureReason = 'refunded-elsewhere' | 'transfer-too-small';

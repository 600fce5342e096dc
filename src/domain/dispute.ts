/** State machine of a dispute. It only moves forward, because webhook events can arrive out of order. */

/** `inquiry`: the bank asks, no money has moved. `closed`: the inquiry ended without a dispute. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost' | 'closed';

export interface DisputeStep {
  /** The disputed amount is withdrawn from the balance. */
  opens: boolean;
  /** The bank has decided: the amount is returned (won) or forfeited (lost). */
  ends: boolean;
}

const NEXT: Record<DisputeState | 'unknown', readonly DisputeState[]> = {
  unknown: ['inquiry', 'open', 'won', 'lost', 'closed'],
  inquiry: ['open', 'won', 'lost', 'closed'],
  open: ['won', 'lost'],
  won: [],
  lost: [],
  closed: [],
};

/** `null` for an outdated or repeated state. A dispute first seen when it ends also opens in the same step. */
export function disputeStep(from: DisputeState | null, to: DisputeState): DisputeStep | null {
  if (!NEXT[from ?? 'unknown'].includes(to)) return null;
  const ends = to === 'won' || to === 'lost';
  return { opens: from !== 'open' && (to === 'open' || ends), ends };
}

export interface LossShares {
  organizerCents: number;
  buyerCents: number;
}

/**
 * Splits a lost dispute. The organizer covers it up to their remaining balance in the order, then the buyer up to
 * theirs; the platform absorbs the rest.
 */
export function lossShares(cents: number, left: LossShares): LossShares {
  const organizerCents = Math.max(0, Math.min(cents, left.organizerCents));
  return { organizerCents, buyerCents: Math.max(0, Math.min(cents - organizerCents, left.buyerCents)) };
}

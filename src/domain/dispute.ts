/** How a buyer's dispute with their bank goes on: forward only, whatever order the news comes in. */

/** `inquiry`: a question, no money has moved. `closed`: an inquiry that came to nothing. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost' | 'closed';

export interface DisputeStep {
  /** The buyer's money leaves the balance. */
  opens: boolean;
  /** The bank has decided: the money comes back, or stays away. */
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

/** `null` for news that is old or repeated. Whoever hears of a dispute only at its end catches up on its beginning. */
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
 * Who bears a lost dispute, of what the order has `left` for each: the organizer goes first, then the buyer. The platform
 * bears the rest.
 */
export function lossShares(cents: number, left: LossShares): LossShares {
  const organizerCents = Math.max(0, Math.min(cents, left.organizerCents));
  return { organizerCents, buyerCents: Math.max(0, Math.min(cents - organizerCents, left.buyerCents)) };
}

/** State machine of a dispute. It only moves forward, because webhook events can arrive out of order. */

import { EVIDENCE_DUE_SOON_DAYS } from './limits.ts';

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

/** How much of the time to send evidence is left, in whole days, then hours. `soon`: less than three days. */
export interface Deadline {
  urgency: 'later' | 'soon' | 'over';
  days: number;
  hours: number;
}

const HOUR = 60 * 60 * 1000;

export function deadlineOf(dueAt: Date, now: Date): Deadline {
  const left = dueAt.getTime() - now.getTime();
  if (left <= 0) return { urgency: 'over', days: 0, hours: 0 };
  const hours = Math.floor(left / HOUR);
  const days = Math.floor(hours / 24);
  return { urgency: days < EVIDENCE_DUE_SOON_DAYS ? 'soon' : 'later', days, hours };
}

export type EvidenceDenial = 'sent' | 'too-late';

/** A bank takes evidence once, until its deadline. Afterwards the dispute is decided. */
export function denyEvidence(
  { state, dueAt, sentAt }: { state: DisputeState; dueAt: Date | null; sentAt: Date | null },
  now: Date,
): EvidenceDenial | null {
  if (sentAt) return 'sent';
  const isUnderWay = state === 'open' || state === 'inquiry';
  return !isUnderWay || (dueAt && now >= dueAt) ? 'too-late' : null;
}

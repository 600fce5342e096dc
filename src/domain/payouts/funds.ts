/** Whether what is owed is there. */

/** A comparison or a balance that is older says nothing about now. */
const FRESH_MS = 60 * 60 * 1000;

export interface FundsReading {
  organizersCents: number;
  buyersCents: number;
  /** At Stripe, including what is on its way there. */
  balanceCents: number;
  readAt: Date;
}

/** `short`: less is there than is owed. `differs`: Stripe and the ledger disagree. `stale`: not known for an hour. */
export const fundsStates = ['covered', 'short', 'differs', 'stale'] as const;

export type FundsState = (typeof fundsStates)[number];

export function fundsState(
  { organizersCents, buyersCents, balanceCents, readAt }: FundsReading,
  { comparedAt, discrepancies }: { comparedAt: Date | null; discrepancies: number },
  now: Date,
): FundsState {
  if (balanceCents < organizersCents + buyersCents) return 'short';
  if (discrepancies > 0) return 'differs';
  const isFresh = (at: Date | null) => at !== null && now.getTime() - at.getTime() < FRESH_MS;
  return isFresh(readAt) && isFresh(comparedAt) ? 'covered' : 'stale';
}

/** What a plan includes, and what an operator may make of one. */
import type { FeeTerms, TicketFeeRate } from './fees.ts';
import { PLAN_CENTS_MAX, PLAN_COUNT_MAX } from './limits.ts';

export type PlanDenial = 'too-many-active-events';

/** An event counts as active until it is cancelled or ends, and a series as one while any of its dates does. */
export function denyPlan(
  { active, isCounted }: { active: number /** It is a date of a series that is active already. */; isCounted: boolean },
  activeEventsMax: number,
): PlanDenial | null {
  return !isCounted && active >= activeEventsMax ? 'too-many-active-events' : null;
}

/** Every organization starts on it, and the public pages begin with it. */
export const STANDARD_PLAN = 'standard';

export interface PlanFigures {
  id: string;
  activeEventsMax: number;
  terms: FeeTerms;
  isPublic: boolean;
}

export type PlanEditDenial = 'invalid' | 'large-fee-higher' | 'standard-stays';

const FULL_PERCENT = 100_00;

export function denyPlanEdit({ id, activeEventsMax, terms, isPublic }: PlanFigures): PlanEditDenial | null {
  const { processingCents, standard, large, largeFrom } = terms;
  const rates: TicketFeeRate[] = [standard, large];
  const areFine =
    [activeEventsMax, largeFrom].every((count) => count >= 1 && count <= PLAN_COUNT_MAX) &&
    [processingCents, ...rates.map(({ flatCents }) => flatCents)].every(isAmount) &&
    rates.every(({ basisPoints }) => basisPoints >= 0 && basisPoints < FULL_PERCENT);
  if (!areFine) return 'invalid';
  // The pages say that the fee drops for a large event.
  if (large.basisPoints > standard.basisPoints || large.flatCents > standard.flatCents) return 'large-fee-higher';
  return id === STANDARD_PLAN && !isPublic ? 'standard-stays' : null;
}

const isAmount = (cents: number) => cents >= 0 && cents <= PLAN_CENTS_MAX;

export const denyRetiring = (id: string): 'standard-stays' | null => (id === STANDARD_PLAN ? 'standard-stays' : null);

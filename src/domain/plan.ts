/** What the Standard plan includes. */

export const ACTIVE_EVENTS_MAX = 2;
export const PROCESSING_FEE_CENTS = 15_00;

export type PlanDenial = 'too-many-active-events';

/** An event counts as active until it is cancelled or ends. */
export function denyPlan(activeEvents: number): PlanDenial | null {
  return activeEvents >= ACTIVE_EVENTS_MAX ? 'too-many-active-events' : null;
}

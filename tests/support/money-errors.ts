import { brokenInvariants } from './invariants.ts';
import { stripeDiscrepancies } from './stripe-discrepancies.ts';
import type { TestApp } from './test-app.ts';

/** Errors in the money, one per line: within our records, and compared with Stripe's. */
export async function moneyErrors(app: TestApp): Promise<string[]> {
  await app.settle();
  return [...(await brokenInvariants(app.db)), ...(await stripeDiscrepancies(app))];
}

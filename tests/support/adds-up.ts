import { disagreements } from './card-company-books.ts';
import { brokenInvariants } from './invariants.ts';
import type { TestApp } from './test-app.ts';

/** Errors in the money, one per line: within our records, and compared with Stripe's. */
export async function whatDoesNotAddUp(app: TestApp): Promise<string[]> {
  await app.settle();
  return [...(await brokenInvariants(app.db)), ...(await disagreements(app))];
}

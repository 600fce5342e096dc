import { disagreements } from './card-company-books.ts';
import { brokenInvariants } from './invariants.ts';
import type { TestApp } from './test-app.ts';

/** What is wrong with the money, one line each: in our own records, and between them and the card company's. */
export async function whatDoesNotAddUp(app: TestApp): Promise<string[]> {
  await app.settle();
  return [...(await brokenInvariants(app.db)), ...(await disagreements(app))];
}

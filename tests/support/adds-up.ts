import { disagreements } from './card-company-books.ts';
import { brokenInvariants } from './invariants.ts';
import type { World } from './world.ts';

/** What is wrong with the money, one line each: in our own records, and between them and the card company's. */
export async function whatDoesNotAddUp(world: World): Promise<string[]> {
  await world.settle();
  return [...(await brokenInvariants(world.db)), ...(await disagreements(world))];
}

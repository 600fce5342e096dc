import { tooManyTries } from '#contract/sentences.ts';
import type { Budget, Tries } from './ports/tries.ts';
import { Refusal } from './refusal.ts';

/** Takes one from a budget; when it is used up, the person is told to wait, and for how long. */
export async function spendTry(tries: Tries, budget: Budget, key: string): Promise<void> {
  const wait = await tries.spend(budget, key);
  if (wait !== null) throw new Refusal('too-many', tooManyTries, wait);
}

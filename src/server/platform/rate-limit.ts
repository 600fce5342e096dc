import { tooManyTries } from '#contract/sentences.ts';
import { Refusal } from './app-error.ts';
import type { Budget, Guess, Tries } from './ports/rate-limiter.ts';

/** Takes one from a budget; when it is used up, the person is told to wait, and for how long. */
export async function spendTry(tries: Tries, budget: Budget, key: string): Promise<void> {
  const wait = await tries.spend(budget, key);
  if (wait !== null) throw new Refusal('too-many', tooManyTries, wait);
}

/** Before a guess is judged: whoever has used up a budget waits for their turn. */
export async function takeTurn(tries: Tries, guesses: readonly Guess[]): Promise<void> {
  const wait = await tries.takeTurn(guesses);
  if (wait !== null) throw new Refusal('too-many', tooManyTries, wait);
}

/** Before anything is looked up for a guess that would not get a turn. */
export function refuseFullLine(tries: Tries, guesses: readonly Guess[]): void {
  const wait = tries.fullLine(guesses);
  if (wait !== null) throw new Refusal('too-many', tooManyTries, wait);
}

/**
 * After several wrong guesses that came together, and before any of them is answered. They are refused together, where the first of
 * them is one too many: however many come at once, some of them get through each time that the budget is whole again.
 */
export async function countFailures(tries: Tries, { budget, key }: Guess, guesses: number): Promise<void> {
  const [first = null] = await Promise.all(Array.from({ length: guesses }, () => tries.spend(budget, key)));
  if (first !== null) throw new Refusal('too-many', tooManyTries, first);
}

/** After a wrong guess. All budgets count it, and the one that is used up for longest says when to come back. */
export async function countFailure(
  tries: Tries,
  guesses: readonly Guess[],
  onUsedUp: (budget: Budget) => Promise<void> = async () => {},
): Promise<void> {
  let longest = 0;
  for (const { budget, key } of guesses) {
    const wait = await tries.spend(budget, key);
    if (wait === null) continue;
    longest = Math.max(longest, wait);
    await onUsedUp(budget);
  }
  if (longest > 0) throw new Refusal('too-many', tooManyTries, longest);
}

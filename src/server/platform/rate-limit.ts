import { tooManyAttempts } from '#contract/sentences.ts';
import { AppError } from './app-error.ts';
import type { Attempt, RateLimit, RateLimiter } from './ports/rate-limiter.ts';

/** Takes one from a budget; when it is used up, the person is told to wait, and for how long. */
export async function consumeLimit(tries: RateLimiter, budget: RateLimit, key: string): Promise<void> {
  const wait = await tries.spend(budget, key);
  if (wait !== null) throw new AppError('too-many', tooManyAttempts, wait);
}

/** Before a guess is judged: whoever has used up a budget waits for their turn. */
export async function takeSlot(tries: RateLimiter, guesses: readonly Attempt[]): Promise<void> {
  const wait = await tries.takeTurn(guesses);
  if (wait !== null) throw new AppError('too-many', tooManyAttempts, wait);
}

/** Before anything is looked up for a guess that would not get a turn. */
export function denyFullQueue(tries: RateLimiter, guesses: readonly Attempt[]): void {
  const wait = tries.fullLine(guesses);
  if (wait !== null) throw new AppError('too-many', tooManyAttempts, wait);
}

/**
 * After several wrong guesses that came together, and before any of them is answered. They are refused together, where the first of
 * them is one too many: however many come at once, some of them get through each time that the budget is whole again.
 */
export async function countFailures(tries: RateLimiter, { budget, key }: Attempt, guesses: number): Promise<void> {
  const [first = null] = await Promise.all(Array.from({ length: guesses }, () => tries.spend(budget, key)));
  if (first !== null) throw new AppError('too-many', tooManyAttempts, first);
}

/** After a wrong guess. All budgets count it, and the one that is used up for longest says when to come back. */
export async function countFailure(
  tries: RateLimiter,
  guesses: readonly Attempt[],
  onUsedUp: (budget: RateLimit) => Promise<void> = async () => {},
): Promise<void> {
  let longest = 0;
  for (const { budget, key } of guesses) {
    const wait = await tries.spend(budget, key);
    if (wait === null) continue;
    longest = Math.max(longest, wait);
    await onUsedUp(budget);
  }
  if (longest > 0) throw new AppError('too-many', tooManyAttempts, longest);
}

/** Runs one action and classifies its outcome: done, refused, unknown, or a failure. */

import { AppError } from '#server/platform/app-error.ts';
import { isTooBusy } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { CRASHED, type Crash, crashInCall } from './crash-in-call.ts';
import type { History, Outcome } from './history.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Share of actions during which the server crashes. */
const CRASH_RATE = 0.15;

export async function attempt<T>(
  app: Pick<TestApp, 'deps' | 'now'>,
  history: History,
  what: string,
  useCase: (deps: Deps) => Promise<T>,
): Promise<Outcome<T>> {
  const { random, log } = history;
  const crash = random.chance(CRASH_RATE) ? crashOf(random) : null;
  const outcome = await outcomeOf(() => (crash ? crashInCall(app.deps, crash, useCase) : useCase(app.deps)));
  const mayCrash = crash ? ` (may crash ${crash.moment} call ${crash.call})` : '';
  const why = outcome.is === 'refused' ? `: ${outcome.why}` : '';
  log.push(`${app.now().toISOString()} ${what}${mayCrash}: ${outcome.is}${why}`);
  if ('error' in outcome) history.failures.push(`${what}: ${String(outcome.error)}`);
  return outcome;
}

/** A payout reads the account before it moves money, so a later call must crash as well. */
const crashOf = (random: SeededRandom): Crash => ({
  moment: random.pick(['before', 'after']),
  call: random.pick([1, 1, 2]),
});

async function outcomeOf<T>(
  work: () => Promise<T | typeof CRASHED>,
): Promise<Outcome<T> | { is: 'broken'; error: unknown }> {
  try {
    const value = await work();
    return value === CRASHED ? { is: 'unknown' } : { is: 'done', value };
  } catch (error) {
    if (error instanceof AppError) return { is: 'refused', why: error.message };
    if (error instanceof ProcessorUnreachable || error instanceof ProcessorDenied || isTooBusy(error))
      return { is: 'unknown' };
    return { is: 'broken', error };
  }
}

/** Lets somebody try something, and sorts what comes of it: done, refused, unknown, or what must never happen. */

import { AppError } from '#server/platform/app-error.ts';
import { isTooBusy } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { abandoned, CRASHED, type Crash } from './abandoned.ts';
import type { History, Outcome } from './history.ts';
import type { SeededRandom } from './seeded-random.ts';

/** How often the server ends in the middle of what somebody asked for. */
const CRASHES = 0.15;

export async function attempt<T>(
  app: Pick<TestApp, 'deps' | 'now'>,
  history: History,
  what: string,
  useCase: (deps: Deps) => Promise<T>,
): Promise<Outcome<T>> {
  const { random, log } = history;
  const crash = random.chance(CRASHES) ? crashOf(random) : null;
  const outcome = await outcomeOf(() => (crash ? abandoned(app.deps, crash, useCase) : useCase(app.deps)));
  const mayCrash = crash ? ` (may crash ${crash.moment} call ${crash.call})` : '';
  const why = outcome.is === 'refused' ? `: ${outcome.why}` : '';
  log.push(`${app.now().toISOString()} ${what}${mayCrash}: ${outcome.is}${why}`);
  if ('error' in outcome) history.failures.push(`${what}: ${String(outcome.error)}`);
  return outcome;
}

/** Whoever pays out asks about the account before the money moves: the later call has to meet its end as well. */
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

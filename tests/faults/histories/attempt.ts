/** Lets somebody try something, and sorts what comes of it: done, refused, unknown, or what must never happen. */
import { isTooBusy } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { ProviderRefused, ProviderUnreachable } from '#server/ports/provider-error.ts';
import { Refusal } from '#server/refusal.ts';
import { abandoned, CRASHED } from './abandoned.ts';
import type { Stage } from './history.ts';

export type Outcome<T> =
  | { is: 'done'; value: T }
  | { is: 'refused'; why: string }
  | { is: 'unknown' }
  | { is: 'broken' };

/** How often the server ends in the middle of what somebody asked for. */
const CRASHES = 0.15;

export async function attempt<T>(
  { world, history }: Stage,
  what: string,
  useCase: (deps: Deps) => Promise<T>,
): Promise<Outcome<T>> {
  const { random, log } = history;
  const moment = random.chance(CRASHES) ? random.pick(['before', 'after'] as const) : null;
  const outcome = await outcomeOf(() => (moment ? abandoned(world.deps, moment, useCase) : useCase(world.deps)));
  const crash = moment ? ` (may crash ${moment} the call)` : '';
  const why = outcome.is === 'refused' ? `: ${outcome.why}` : '';
  log.push(`${world.now().toISOString()} ${what}${crash}: ${outcome.is}${why}`);
  if ('error' in outcome) history.failures.push(`${what}: ${String(outcome.error)}`);
  return outcome;
}

async function outcomeOf<T>(
  work: () => Promise<T | typeof CRASHED>,
): Promise<Outcome<T> | { is: 'broken'; error: unknown }> {
  try {
    const value = await work();
    return value === CRASHED ? { is: 'unknown' } : { is: 'done', value };
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', why: error.message };
    if (error instanceof ProviderUnreachable || error instanceof ProviderRefused || isTooBusy(error))
      return { is: 'unknown' };
    return { is: 'broken', error };
  }
}

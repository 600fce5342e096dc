/** Budgets of tries, counted in PostgreSQL so that all servers of an installation count together. */
import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#server/database.ts';
import type { Budget, Tries } from '#server/ports/tries.ts';
import { budgets } from './budgets.ts';
import { networkOf } from './network-of.ts';
import { triesClient } from './tries.sql.ts';

/**
 * `scale` multiplies every budget; 0 turns them off.
 * Counted on the system's clock: a budget limits work in real time, whatever the business clock says.
 */
export function postgresTries(db: Db, scale: number): Tries {
  if (scale === 0) return { spend: async () => null };

  const client = triesClient(db);
  const limiters = Object.fromEntries(
    Object.keys(budgets).map((budget, index) => [budget, limiterOf(budget as Budget, index === 0)]),
  ) as Record<Budget, RateLimiterPostgres>;

  return {
    async spend(budget, key) {
      const usedUp = await limiters[budget].consume(hashed(key)).then(() => null, exhausted);
      return usedUp ? Math.max(1, Math.ceil(usedUp.msBeforeNext / 1000)) : null;
    },
  };

  function limiterOf(budget: Budget, sweeps: boolean) {
    const { points, seconds } = budgets[budget];
    const limit = { points: Math.max(1, Math.round(points * scale)), duration: seconds, keyPrefix: budget };
    return new RateLimiterPostgres({
      ...limit,
      storeClient: client,
      storeType: 'pool',
      tableName: 'tries',
      tableCreated: true,
      // One limiter removes the old rows of all.
      clearExpiredByTimeout: sweeps,
      // While the table cannot be written, each server counts for itself: neither does a queue at the door
      // stand still because of a counter, nor does an outage open the door to guessing.
      insuranceLimiter: new RateLimiterMemory(limit),
    });
  }
}

/** The library throws the state of the budget when it is used up, and errors otherwise. */
function exhausted(thrown: unknown) {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function hashed(key: string): string {
  const parts = key.split(' ').map(networkOf);
  return createHash('sha256').update(parts.join(' ')).digest('base64url');
}

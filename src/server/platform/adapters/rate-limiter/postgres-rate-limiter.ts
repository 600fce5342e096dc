/** Budgets of tries, counted in PostgreSQL so that all servers of an installation count together. */
import { createHmac, type KeyObject } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import type { Attempt, RateLimit, RateLimiter } from '#server/platform/ports/rate-limiter.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { countAfterwards } from './count-afterwards.ts';
import { countedAfterwards, limits, sharedByStrangers } from './limits.ts';
import { networkOf } from './network.ts';
import { type Consumed, type Consumption, consumePoints, removeExpired } from './rate-limiter.sql.ts';
import { openSlowQueues, PACE_MS } from './slow-queues.ts';

/** What was spent of a budget, this try included, and for how long; `null` while the table cannot be written. */
type Answer = Pick<Consumed, 'points' | 'leftMs'> | null;

const SWEEP_MS = 5 * 60_000;

/**
 * `scale` multiplies every budget; 0 turns them off.
 * Counted on the database's clock, without its offset: a budget limits work in real time, whatever the business clock says.
 */
export function postgresRateLimiter(db: Db, scale: number, appSecret: string): RateLimiter {
  if (scale === 0) return { spend: async () => null, takeTurn: async () => null, fullLine: () => null };

  const secret = deriveKey(appSecret, 'tries');
  const nameOf = (budget: RateLimit, key: string) => `${budget}:${hashed(secret, key)}`;

  const lane = openBatcher<Omit<Consumption, 'points'>, Answer>({
    name: 'tries',
    one: async (one) => (await consumeTogether(db, [one]))[0] ?? null,
    many: (several) => consumeTogether(db, several),
  });
  const afterwards = countAfterwards(db);
  const inMemory = new Map<RateLimit, RateLimiterMemory>();
  const lines = openSlowQueues();
  setInterval(sweep, SWEEP_MS).unref();

  return {
    async spend(budget, key) {
      const name = nameOf(budget, key);
      const until = await spentUntil(budget, name);
      if (until === null) return null;
      lines.noteUsedUp(name, until);
      return sharedByStrangers.has(budget) ? PACE_MS / 1000 : secondsUntil(until);
    },

    async takeTurn(guesses) {
      const line = lineOf(guesses);
      return line === null ? null : lines.standInLine(line);
    },

    fullLine(guesses) {
      const line = lineOf(guesses);
      return line === null ? null : lines.comeBackAfter(line);
    },
  };

  /** Where whoever guesses so has to stand; `null` while no budget is known to be used up. */
  function lineOf(guesses: readonly Attempt[]): string | null {
    if (lines.areQuiet()) return null;
    const late = guesses.find(({ budget, key }) => lines.isUsedUp(nameOf(budget, key)));
    return late ? nameOf(late.budget, late.line ?? late.key) : null;
  }

  /** Until when the budget is used up, this try included; `null` while it is not. */
  async function spentUntil(budget: RateLimit, name: string): Promise<number | null> {
    const { seconds } = limits[budget];
    if (countedAfterwards.has(budget)) return afterwards.spend(name, pointsOf(budget), seconds);
    const spent = await lane.run({ key: name, forMs: seconds * 1000 });
    if (!spent) return spendInMemory(budget, name);
    return spent.points <= pointsOf(budget) ? null : Date.now() + spent.leftMs;
  }

  function sweep(): void {
    lines.sweep();
    void removeExpired(db).catch(() => {});
  }

  // Each server counts for itself then: neither does a queue at the door stand still because of a counter, nor does an
  // outage open the door to guessing.
  async function spendInMemory(budget: RateLimit, name: string): Promise<number | null> {
    const limiter =
      inMemory.get(budget) ?? new RateLimiterMemory({ points: pointsOf(budget), duration: limits[budget].seconds });
    inMemory.set(budget, limiter);
    const exceeded = await limiter.consume(name).then(() => null, exhausted);
    return exceeded ? Date.now() + exceeded.msBeforeNext : null;
  }

  function pointsOf(budget: RateLimit): number {
    return Math.max(1, Math.round(limits[budget].points * scale));
  }
}

/** Each budget once, however many spend from it, and each spender in turn. */
async function consumeTogether(db: Db, several: readonly Omit<Consumption, 'points'>[]): Promise<Answer[]> {
  const spendings = new Map<string, Consumption>();
  const turns = several.map((one) => {
    const spending = spendings.get(one.key) ?? { ...one, points: 0 };
    spending.points += 1;
    spendings.set(one.key, spending);
    return spending.points;
  });
  const rows = await consumePoints(db, [...spendings.values()]).catch(() => []);
  const spent = new Map(rows.map((row) => [row.key, row]));
  return several.map(({ key }, index) => {
    const row = spent.get(key);
    const after = (spendings.get(key)?.points ?? 0) - (turns[index] ?? 0);
    return row ? { points: row.points - after, leftMs: row.leftMs } : null;
  });
}

const secondsUntil = (moment: number) => Math.max(1, Math.ceil((moment - Date.now()) / 1000));

/** The library throws the state of the budget when it is used up, and errors otherwise. */
function exhausted(thrown: unknown) {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

/** Under a key, for there are few networks, and few addresses that somebody would not think of. */
function hashed(secret: KeyObject, key: string): string {
  const parts = key.split(' ').map(networkOf);
  return createHmac('sha256', secret).update(parts.join(' ')).digest('base64url');
}

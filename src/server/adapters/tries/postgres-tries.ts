/** Budgets of tries, counted in PostgreSQL so that all servers of an installation count together. */
import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '#server/database.ts';
import { openLane } from '#server/lane.ts';
import type { Budget, Tries } from '#server/ports/tries.ts';
import { budgets, countedAfterwards } from './budgets.ts';
import { countAfterwards } from './count-afterwards.ts';
import { networkOf } from './network-of.ts';
import { removeSpent, type Spending, spendPoints } from './tries.sql.ts';

/** What was spent of a budget, this try included, and until when; `null` while the table cannot be written. */
type Spent = { points: number; expire: number } | null;

const SWEEP_MS = 5 * 60_000;

/**
 * `scale` multiplies every budget; 0 turns them off.
 * Counted on the system's clock: a budget limits work in real time, whatever the business clock says.
 */
export function postgresTries(db: Db, scale: number): Tries {
  if (scale === 0) return { spend: async () => null };

  const lane = openLane<Omit<Spending, 'points'>, Spent>({
    name: 'tries',
    one: async (one) => (await spendTogether(db, [one]))[0] ?? null,
    many: (several) => spendTogether(db, several),
  });
  const afterwards = countAfterwards(db);
  const inMemory = new Map<Budget, RateLimiterMemory>();
  setInterval(() => void removeSpent(db, Date.now()).catch(() => {}), SWEEP_MS).unref();

  return {
    async spend(budget, key) {
      const seconds = budgets[budget].seconds;
      const name = `${budget}:${hashed(key)}`;
      if (countedAfterwards.has(budget)) {
        const end = afterwards.spend(name, pointsOf(budget), seconds);
        return end === null ? null : secondsUntil(end);
      }
      const spent = await lane.run({ key: name, expire: Date.now() + seconds * 1000 });
      if (!spent) return spendInMemory(budget, name);
      return spent.points <= pointsOf(budget) ? null : secondsUntil(spent.expire);
    },
  };

  // Each server counts for itself then: neither does a queue at the door stand still because of a counter, nor does an
  // outage open the door to guessing.
  async function spendInMemory(budget: Budget, name: string): Promise<number | null> {
    const limiter =
      inMemory.get(budget) ?? new RateLimiterMemory({ points: pointsOf(budget), duration: budgets[budget].seconds });
    inMemory.set(budget, limiter);
    const exceeded = await limiter.consume(name).then(() => null, exhausted);
    return exceeded ? Math.max(1, Math.ceil(exceeded.msBeforeNext / 1000)) : null;
  }

  function pointsOf(budget: Budget): number {
    return Math.max(1, Math.round(budgets[budget].points * scale));
  }
}

/** Each budget once, however many spend from it, and each spender in turn. */
async function spendTogether(db: Db, several: readonly Omit<Spending, 'points'>[]): Promise<Spent[]> {
  const spendings = new Map<string, Spending>();
  const turns = several.map((one) => {
    const spending = spendings.get(one.key) ?? { ...one, points: 0 };
    spending.points += 1;
    spendings.set(one.key, spending);
    return spending.points;
  });
  const rows = await spendPoints(db, [...spendings.values()], Date.now()).catch(() => []);
  const spent = new Map(rows.map((row) => [row.key, row]));
  return several.map(({ key }, index) => {
    const row = spent.get(key);
    const after = (spendings.get(key)?.points ?? 0) - (turns[index] ?? 0);
    return row ? { points: row.points - after, expire: row.expire } : null;
  });
}

const secondsUntil = (moment: number) => Math.max(1, Math.ceil((moment - Date.now()) / 1000));

/** The library throws the state of the budget when it is used up, and errors otherwise. */
function exhausted(thrown: unknown) {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function hashed(key: string): string {
  const parts = key.split(' ').map(networkOf);
  return createHash('sha256').update(parts.join(' ')).digest('base64url');
}

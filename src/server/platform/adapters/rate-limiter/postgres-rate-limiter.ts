/** Rate limits counted in PostgreSQL, so that all servers share them. */
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { ipv6Network, withoutMapping } from '#server/platform/client-network.ts';
import type { Db } from '#server/platform/database.ts';
import type { Attempt, RateLimit, RateLimiter } from '#server/platform/ports/rate-limiter.ts';
import { type AppSecret, deriveKey, keyedHash } from '#server/platform/secrets.ts';
import { INTERVAL_MS, openAttemptQueues } from './attempt-queues.ts';
import { deferredCounter } from './deferred-counter.ts';
import { deferredLimits, limits, sharedLimits } from './limits.ts';
import { type Consumed, type Consumption, consumePoints, removeExpired, returnPoint } from './rate-limiter.sql.ts';

/** The points consumed, this one included, and the time until the reset; `null` while the table is unavailable. */
type Answer = Pick<Consumed, 'points' | 'leftMs'> | null;

const unlimited: RateLimiter = {
  consume: async () => null,
  standing: () => null,
  release: async () => {},
  isLimited: () => false,
  waitForSlot: async () => null,
  retryAfter: () => null,
};

const SWEEP_MS = 5 * 60_000;

/**
 * Windows follow the database's real time, not the business clock.
 *
 * @param scale multiplies every limit; 0 turns them off
 */
export function postgresRateLimiter(db: Db, scale: number, appSecret: AppSecret): RateLimiter {
  if (scale === 0) return unlimited;

  const secret = deriveKey(appSecret, 'rate limits');
  const nameOf = (limit: RateLimit, key: string) => `${limit}:${keyedHash(secret, withNetworks(key), 'base64url')}`;

  const batcher = openBatcher<Omit<Consumption, 'points'>, Answer>({
    name: 'rate_limits',
    one: async (one) => (await consumeTogether(db, [one]))[0] ?? null,
    many: (several) => consumeTogether(db, several),
  });
  const deferred = deferredCounter(db);
  const inMemory = new Map<RateLimit, RateLimiterMemory>();
  const queues = openAttemptQueues();
  setInterval(sweep, SWEEP_MS).unref();

  return {
    async consume(limit, key) {
      const name = nameOf(limit, key);
      const until = await consumePoint(limit, name);
      if (until === null) return null;
      queues.markExhausted(name, until);
      return sharedLimits.has(limit) ? INTERVAL_MS / 1000 : secondsUntil(until);
    },

    standing(limit, key) {
      if (!deferredLimits.has(limit)) return null;
      return deferred.standing(nameOf(limit, key), pointsOf(limit), limits[limit].seconds);
    },

    async release(limit, key) {
      // During an outage the point stays: a limit too strict for minutes is better than a failed login.
      await returnPoint(db, nameOf(limit, key)).catch(() => {});
    },

    isLimited: (attempts) => queueOf(attempts) !== null,

    async waitForSlot(attempts) {
      const queue = queueOf(attempts);
      return queue === null ? null : queues.wait(queue);
    },

    retryAfter(attempts) {
      const queue = queueOf(attempts);
      return queue === null ? null : queues.retryAfter(queue);
    },
  };

  /** The queue for these attempts; `null` while no limit is known to be reached. */
  function queueOf(attempts: readonly Attempt[]): string | null {
    if (queues.isIdle()) return null;
    const exhausted = attempts.find(({ limit, key }) => queues.isExhausted(nameOf(limit, key)));
    return exhausted ? nameOf(exhausted.limit, exhausted.queueKey ?? exhausted.key) : null;
  }

  /** Consumes a point. Returns `null`, or when the limit resets once it is reached. */
  async function consumePoint(limit: RateLimit, name: string): Promise<number | null> {
    const { seconds } = limits[limit];
    if (deferredLimits.has(limit)) return deferred.consume(name, pointsOf(limit), seconds);
    const consumed = await batcher.run({ key: name, forMs: seconds * 1000 });
    if (!consumed) return consumeInMemory(limit, name);
    return consumed.points <= pointsOf(limit) ? null : Date.now() + consumed.leftMs;
  }

  function sweep(): void {
    queues.sweep();
    void removeExpired(db).catch(() => {});
  }

  // During an outage each server counts alone: check-in continues, and secrets stay protected against guessing.
  async function consumeInMemory(limit: RateLimit, name: string): Promise<number | null> {
    const limiter =
      inMemory.get(limit) ?? new RateLimiterMemory({ points: pointsOf(limit), duration: limits[limit].seconds });
    inMemory.set(limit, limiter);
    const exceeded = await limiter.consume(name).then(() => null, asLimitReached);
    return exceeded ? Date.now() + exceeded.msBeforeNext : null;
  }

  function pointsOf(limit: RateLimit): number {
    return Math.max(1, Math.round(limits[limit].points * scale));
  }
}

/** Updates each row once per batch and derives the running count of every caller from the total. */
async function consumeTogether(db: Db, several: readonly Omit<Consumption, 'points'>[]): Promise<Answer[]> {
  const consumptions = new Map<string, Consumption>();
  const ordinals = several.map((one) => {
    const consumption = consumptions.get(one.key) ?? { ...one, points: 0 };
    consumption.points += 1;
    consumptions.set(one.key, consumption);
    return consumption.points;
  });
  const rows = await consumePoints(db, [...consumptions.values()]).catch(() => []);
  const totals = new Map(rows.map((row) => [row.key, row]));
  return several.map(({ key }, index) => {
    const row = totals.get(key);
    const after = (consumptions.get(key)?.points ?? 0) - (ordinals[index] ?? 0);
    return row ? { points: row.points - after, leftMs: row.leftMs } : null;
  });
}

const secondsUntil = (moment: number) => Math.max(1, Math.ceil((moment - Date.now()) / 1000));

/** The library throws its result when the limit is reached, and errors otherwise. */
function asLimitReached(thrown: unknown) {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

/** A key can name several things, such as an account and an address. */
const withNetworks = (key: string) => key.split(' ').map(networkOf).join(' ');

/**
 * The network of an IPv6 address: a customer owns a whole /64 and could use a new address for every attempt. Anything else is
 * returned unchanged.
 */
export function networkOf(address: string): string {
  const plain = withoutMapping(address);
  return isIPv6(plain) ? ipv6Network(plain, 64) : plain;
}

import { AppError } from './app-error.ts';
import type { Attempt, RateLimit, RateLimiter } from './ports/rate-limiter.ts';

/** Consumes one point of a rate limit. Throws `too-many` with the seconds to wait once the limit is reached. */
export async function consumeLimit(rateLimiter: RateLimiter, limit: RateLimit, key: string): Promise<void> {
  const wait = await rateLimiter.consume(limit, key);
  if (wait !== null) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: wait });
}

/** Call before checking a secret. Once a limit is reached, attempts are serialized and delayed. */
export async function takeSlot(rateLimiter: RateLimiter, attempts: readonly Attempt[]): Promise<void> {
  const wait = await rateLimiter.waitForSlot(attempts);
  if (wait !== null) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: wait });
}

/** Call before any lookup: denies an attempt that would find its queue full, without waiting. */
export function denyFullQueue(rateLimiter: RateLimiter, attempts: readonly Attempt[]): void {
  const wait = rateLimiter.retryAfter(attempts);
  if (wait !== null) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: wait });
}

/**
 * Call after a batch of failed attempts. Denies the whole batch only if its first attempt is already over the limit, so that
 * part of a large batch still passes each time the limit resets.
 */
export async function countFailures(rateLimiter: RateLimiter, { limit, key }: Attempt, count: number): Promise<void> {
  const [first = null] = await Promise.all(Array.from({ length: count }, () => rateLimiter.consume(limit, key)));
  if (first !== null) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: first });
}

/** Call after a failed attempt. Counts it against every limit and denies with the longest wait. */
export async function countFailure(
  rateLimiter: RateLimiter,
  attempts: readonly Attempt[],
  onLimitReached: (limit: RateLimit) => Promise<void> = async () => {},
): Promise<void> {
  let longest = 0;
  for (const { limit, key } of attempts) {
    const wait = await rateLimiter.consume(limit, key);
    if (wait === null) continue;
    longest = Math.max(longest, wait);
    await onLimitReached(limit);
  }
  if (longest > 0) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: longest });
}

/** The limits that an attempt has exceeded, and the longest wait they cause. */
export interface CountedAttempt {
  exceeded: readonly RateLimit[];
  waitSeconds: number;
}

/**
 * Counts an attempt before its secret is judged, so that many attempts at once are judged no more often than one after the other.
 * Release the points after a right one.
 */
export async function countAttempt(rateLimiter: RateLimiter, attempts: readonly Attempt[]): Promise<CountedAttempt> {
  const isSerialized = rateLimiter.isLimited(attempts);
  await takeSlot(rateLimiter, attempts);
  const counted = await consumeAll(rateLimiter, attempts);
  if (counted.exceeded.length > 0 && !isSerialized) await takeSlot(rateLimiter, attempts);
  return counted;
}

/** Counts an attempt without delaying it: the caller decides what an exceeded limit means. */
export async function consumeAll(rateLimiter: RateLimiter, attempts: readonly Attempt[]): Promise<CountedAttempt> {
  const waits = await Promise.all(
    attempts.map(async ({ limit, key }) => ({ limit, wait: await rateLimiter.consume(limit, key) })),
  );
  const reached = waits.filter(({ wait }) => wait !== null);
  return {
    exceeded: reached.map(({ limit }) => limit),
    waitSeconds: Math.max(0, ...reached.map(({ wait }) => wait ?? 0)),
  };
}

export async function releasePoints(rateLimiter: RateLimiter, attempts: readonly Attempt[]): Promise<void> {
  await Promise.all(attempts.map(({ limit, key }) => rateLimiter.release(limit, key)));
}

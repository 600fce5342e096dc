/** Promo codes as buyers type them, for checkouts and for the event page. */
import { LRUCache } from 'lru-cache';
import { normalizeCode } from '#domain/codes.ts';
import type { PromoCode } from '#domain/sales/promo-codes.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type CachedReads, openCachedReads } from '#server/platform/batching/cached-reads.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countAttempt, releasePoints } from '#server/platform/rate-limit.ts';
import { type FoundPromoCode, findPromoCodes } from './promo-codes.sql.ts';

export type { FoundPromoCode };

/** How long a code is remembered. The reservation verifies that nothing of it has changed, and that it has uses left. */
const TTL_MS = 250;
const MAX_TRACKED = 1_000;
const MAX_KNOWN = 20_000;

/** Normalized. */
const CODE = /^[A-Z0-9]+$/;

interface TypedCode {
  eventId: string;
  promoCode: string;
}

/** As it was a moment ago. Reject a cart only by a fresh read. */
export const cachedPromoCode = (db: Db, typed: TypedCode): FoundPromoCode | undefined =>
  codesOf(db).cached(keyOf(typed));

export const readPromoCode = (db: Db, typed: TypedCode): Promise<FoundPromoCode | undefined> =>
  codesOf(db).fresh(keyOf(typed));

const codesOf = perDatabase(
  (db): CachedReads<FoundPromoCode> =>
    openCachedReads({
      name: 'promo code look-up',
      max: MAX_TRACKED,
      ttlMs: TTL_MS,
      async read(keys) {
        const wanted = keys
          .map((key) => key.split(' '))
          .map(([eventId = '', key = '']) => ({ eventId, key }))
          .filter(({ key }) => CODE.test(key));
        const found = await findPromoCodes(db, wanted);
        return new Map(found.map((code) => [`${code.eventId} ${code.key}`, code]));
      },
    }),
);

/** A normalized code contains no space, and neither does the id of an event. */
const keyOf = ({ eventId, promoCode }: TypedCode): string => `${eventId} ${normalizeCode(promoCode)}`;

/**
 * Denies a code that never was one. Counts the attempt before the code is looked up, so that many guesses at once are judged no more often
 * than one after the other. Beyond the limit of one network its guesses no longer count for the event: they are delayed.
 *
 * A code that was looked up once is no guess anymore, whatever became of it: a crowd that uses it is neither counted nor delayed.
 */
export async function requirePromoCode(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  { ip, ...typed }: TypedCode & { ip: string },
): Promise<void> {
  const known = knownCodesOf(db);
  const key = keyOf(typed);
  if (known.has(key)) return;
  const own: Attempt = { limit: 'promo-code', key: `${ip} ${typed.eventId}` };
  const ofEvent: Attempt = { limit: 'promo-code-event', key: typed.eventId, queueKey: own.key };
  const { exceeded, waitSeconds } = await countAttempt(rateLimiter, [own]);
  const counted = exceeded.length > 0 ? [own] : [own, ofEvent];
  if (counted.length > 1) await countAttempt(rateLimiter, [ofEvent]);
  if (await readPromoCode(db, typed)) {
    known.set(key, true);
    return releasePoints(rateLimiter, counted);
  }
  if (exceeded.length > 0) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: waitSeconds });
  throw new AppError('promo.invalid');
}

const knownCodesOf = perDatabase(() => new LRUCache<string, true>({ max: MAX_KNOWN }));

/** The same code, for a buyer who has reserved some of its uses: to them, these are available. */
export function withOwnUses<Promo extends Pick<PromoCode, 'id' | 'usesLeft'>>(
  promo: Promo,
  own: readonly { promoCodeId: string | null; quantity: number }[],
): Promo {
  if (promo.usesLeft === null) return promo;
  const reserved = own.filter(({ promoCodeId }) => promoCodeId === promo.id);
  return { ...promo, usesLeft: reserved.reduce((sum, { quantity }) => sum + quantity, promo.usesLeft) };
}

/** Promo codes as buyers type them, for checkouts and for the event page. */
import { normalizeCode } from '#domain/codes.ts';
import type { PromoCode } from '#domain/sales/promo-codes.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type CachedReads, openCachedReads } from '#server/platform/batching/cached-reads.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { type FoundPromoCode, findPromoCodes } from './promo-codes.sql.ts';

/** How long a code is remembered. The reservation verifies that nothing of it has changed, and that it has uses left. */
const TTL_MS = 250;
const MAX_TRACKED = 1_000;

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

/** Counts the wrong codes among those that `work` is about, and delays further guesses. */
export async function limitGuesses<T>(
  { rateLimiter }: Pick<Deps, 'rateLimiter'>,
  { eventId, ip }: { eventId: string; ip: string },
  work: () => Promise<T>,
): Promise<T> {
  const own: Attempt = { limit: 'promo-code', key: `${ip} ${eventId}` };
  const attempts = [own, { limit: 'promo-code-event', key: eventId, queueKey: own.key } as const];
  await takeSlot(rateLimiter, attempts);
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'promo.invalid') await countFailure(rateLimiter, attempts);
    throw error;
  }
}

/** The same code, for a buyer who has reserved some of its uses: to them, these are available. */
export function withOwnUses(
  promo: PromoCode,
  own: readonly { promoCodeId: string | null; quantity: number }[],
): PromoCode {
  if (promo.usesLeft === null) return promo;
  const reserved = own.filter(({ promoCodeId }) => promoCodeId === promo.id);
  return { ...promo, usesLeft: reserved.reduce((sum, { quantity }) => sum + quantity, promo.usesLeft) };
}

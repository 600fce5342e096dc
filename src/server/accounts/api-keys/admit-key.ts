import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import type { Claims } from '#server/platform/http/guards.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { authenticateKey } from './authenticate-key.ts';

/** Begins every request of a program. */
export async function admitKey(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'takesRealMoney'>,
  { bearer, ip, showLimit }: Pick<Claims, 'bearer' | 'ip' | 'showLimit'>,
): Promise<KeyHolder> {
  if (bearer === undefined) throw new AppError('auth.invalid-key');
  const key = await authenticateKey(deps, bearer);
  // Only wrong keys wait: programs behind the same address must not wait for them.
  if (!key) {
    const attempts = [{ limit: 'api-key', key: ip }] as const;
    await takeSlot(deps.rateLimiter, attempts);
    await countFailure(deps.rateLimiter, attempts);
    throw new AppError('auth.invalid-key');
  }
  const wait = await deps.rateLimiter.consume('api-request', key.keyId);
  const standing = deps.rateLimiter.standing('api-request', key.keyId);
  if (standing) showLimit(standing);
  if (wait !== null) throw new AppError('rate-limit.exceeded', { retryAfterSeconds: wait });
  return key;
}

import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { consumeLimit, countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { authenticateKey } from './authenticate-key.ts';

/** Begins every request of a program. @param bearer the key, if the request has one */
export async function admitKey(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'takesRealMoney'>,
  bearer: string | undefined,
  ip: string,
): Promise<KeyHolder> {
  if (bearer === undefined) throw new AppError('auth.invalid-key');
  const attempts = [{ limit: 'api-key', key: ip }] as const;
  await takeSlot(deps.rateLimiter, attempts);
  const key = await authenticateKey(deps, bearer);
  if (!key) {
    await countFailure(deps.rateLimiter, attempts);
    throw new AppError('auth.invalid-key');
  }
  await consumeLimit(deps.rateLimiter, 'api-request', key.keyId);
  return key;
}

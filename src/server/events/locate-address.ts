import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { Address } from '#server/platform/ports/geocoder.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';

export async function locateAddress(
  { geocoder, rateLimiter }: Pick<Deps, 'geocoder' | 'rateLimiter'>,
  actor: Actor,
  address: Address,
) {
  authorize(actor, 'event.edit');
  await consumeLimit(rateLimiter, 'look-up-address', actor.userId);
  await consumeLimit(rateLimiter, 'look-up-address-day', actor.userId);
  const location = await geocoder.locate(address);
  if (!location) throw new AppError('address.not-found');
  return { lat: location.latitude, lng: location.longitude };
}

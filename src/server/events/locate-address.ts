import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Address } from '#server/platform/ports/geocoder.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';

export async function locateAddress(
  { geocoder, rateLimiter }: Pick<Deps, 'geocoder' | 'rateLimiter'>,
  organizerId: string,
  address: Address,
) {
  await consumeLimit(rateLimiter, 'look-up-address', organizerId);
  await consumeLimit(rateLimiter, 'look-up-address-day', organizerId);
  const location = await geocoder.locate(address);
  if (!location) throw new AppError('address.not-found');
  return { lat: location.latitude, lng: location.longitude };
}

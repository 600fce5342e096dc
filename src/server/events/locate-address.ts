import { addressNotFound } from '#contract/app/events.ts';
import { notFound } from '#server/platform/app-error.ts';
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
  if (!location) throw notFound(addressNotFound);
  return { lat: location.latitude, lng: location.longitude };
}

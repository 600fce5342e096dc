import { addressNotFound } from '#contract/events.ts';
import { notFound } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Address } from '#server/platform/ports/geocoder.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';

export async function locateAddress(
  { geocoder, tries }: Pick<Deps, 'geocoder' | 'tries'>,
  organizerId: string,
  address: Address,
) {
  await consumeLimit(tries, 'look-up-address', organizerId);
  await consumeLimit(tries, 'look-up-address-day', organizerId);
  const location = await geocoder.locate(address);
  if (!location) throw notFound(addressNotFound);
  return { lat: location.latitude, lng: location.longitude };
}

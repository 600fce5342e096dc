import { addressNotFound } from '#contract/events.ts';
import type { Deps } from '#server/deps.ts';
import type { Address } from '#server/ports/geocoder.ts';
import { notFound } from '#server/refusal.ts';
import { spendTry } from '#server/spend-try.ts';

export async function locateAddress(
  { geocoder, tries }: Pick<Deps, 'geocoder' | 'tries'>,
  organizerId: string,
  address: Address,
) {
  await spendTry(tries, 'look-up-address', organizerId);
  await spendTry(tries, 'look-up-address-day', organizerId);
  const place = await geocoder.locate(address);
  if (!place) throw notFound(addressNotFound);
  return { lat: place.latitude, lng: place.longitude };
}

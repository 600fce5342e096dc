import { addressNotFound } from '#contract/events.ts';
import type { Deps } from '#server/deps.ts';
import type { Address } from '#server/ports/geocoder.ts';
import { notFound } from '#server/refusal.ts';

export async function locateAddress({ geocoder }: Pick<Deps, 'geocoder'>, address: Address) {
  const place = await geocoder.locate(address);
  if (!place) throw notFound(addressNotFound);
  return { lat: place.latitude, lng: place.longitude };
}

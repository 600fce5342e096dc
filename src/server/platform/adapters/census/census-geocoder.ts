/**
 * The geocoder of the US Census Bureau: to the house, and without a key. Whatever it cannot say, or say in time,
 * the fallback answers.
 */
import { z } from 'zod';
import type { Address, Coordinates, Geocoder } from '#server/platform/ports/geocoder.ts';
import { type JsonSource, readJson } from './read-json.ts';

const CENSUS = 'https://geocoding.geo.census.gov';
const PATH = '/geocoder/locations/address';
const KEPT = 1000;

const found = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

interface Options {
  fallback: Geocoder;
  /** Told of every failure, with nothing of the address. */
  onFailure(error: unknown): void;
  /** Only tests have another: no address ever comes from an input. */
  source?: JsonSource;
}

export function censusGeocoder({ fallback, onFailure, source = { origin: CENSUS, mayBePrivate: false } }: Options) {
  const kept = new Map<string, Coordinates>();

  return {
    async locate(address) {
      const query = queryOf(address);
      const known = kept.get(query);
      if (known) return known;

      const place = await ask(source, query).catch((error: unknown) => {
        onFailure(error);
        return null;
      });
      if (!place) return fallback.locate(address);
      keep(query, place);
      return place;
    },
  } satisfies Geocoder;

  function keep(query: string, place: Coordinates) {
    const oldest = kept.keys().next();
    if (kept.size >= KEPT && !oldest.done) kept.delete(oldest.value);
    kept.set(query, place);
  }
}

async function ask(source: JsonSource, query: string): Promise<Coordinates | null> {
  const [match] = found.parse(await readJson(source, `${PATH}?${query}`)).result.addressMatches;
  return match ? { latitude: match.coordinates.y, longitude: match.coordinates.x } : null;
}

/** The same for two ways of writing the same. Whatever the organizer wrote stays the value of its parameter. */
function queryOf({ street, city, state, postalCode }: Address): string {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toUpperCase();
  return new URLSearchParams({
    street: plain(street),
    city: plain(city),
    state,
    zip: plain(postalCode),
    benchmark: 'Public_AR_Current',
    format: 'json',
  }).toString();
}

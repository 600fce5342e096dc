/**
 * The US Census Bureau's geocoder: precise to the house, without an API key. The fallback answers after a miss, an error or a
 * timeout.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Address, Coordinates, Geocoder } from '#server/platform/ports/geocoder.ts';
import { type JsonSource, readJson } from './read-json.ts';

const CENSUS = 'https://geocoding.geo.census.gov';
const PATH = '/geocoder/locations/address';
const CACHE_SIZE = 1000;

const responseSchema = z.object({
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
  /** Called with every failure. The error contains nothing of the address. */
  onFailure(error: unknown): void;
  /** For tests. The origin never comes from user input. */
  source?: JsonSource;
}

export function censusGeocoder({ fallback, onFailure, source = { origin: CENSUS, mayBePrivate: false } }: Options) {
  const cache = new LRUCache<string, Coordinates>({ max: CACHE_SIZE });

  return {
    async locate(address) {
      const query = queryOf(address);
      const cached = cache.get(query);
      if (cached) return cached;

      const coordinates = await request(source, query).catch((error: unknown) => {
        onFailure(error);
        return null;
      });
      if (!coordinates) return fallback.locate(address);
      cache.set(query, coordinates);
      return coordinates;
    },
  } satisfies Geocoder;
}

async function request(source: JsonSource, query: string): Promise<Coordinates | null> {
  const [match] = responseSchema.parse(await readJson(source, `${PATH}?${query}`)).result.addressMatches;
  return match ? { latitude: match.coordinates.y, longitude: match.coordinates.x } : null;
}

/** Normalized, so that spellings of one address share a cache entry. URLSearchParams keeps input from adding parameters. */
function queryOf({ street, city, state, postalCode }: Address): string {
  const normalize = (text: string) => text.trim().replace(/\s+/g, ' ').toUpperCase();
  return new URLSearchParams({
    street: normalize(street),
    city: normalize(city),
    state,
    zip: normalize(postalCode),
    benchmark: 'Public_AR_Current',
    format: 'json',
  }).toString();
}

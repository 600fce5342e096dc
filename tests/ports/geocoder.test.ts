import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usStates } from '#contract/forms/us-states.ts';
import { censusGeocoder } from '#server/platform/adapters/census/census-geocoder.ts';
import { zipTableGeocoder } from '#server/platform/adapters/zip-table/zip-table-geocoder.ts';

const address = { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postalCode: '11211' };

const outOfReach = { origin: 'http://127.0.0.1:1', mayBePrivate: true };
const census = censusGeocoder({ fallback: zipTableGeocoder(), onFailure: () => {}, source: outOfReach });

describe.each([
  ['zip table', zipTableGeocoder()],
  ['census, while unreachable', census],
])('a geocoder: %s', (_name, geocoder) => {
  it('finds an address within a few kilometers', async () => {
    const place = await geocoder.locate(address);

    expect(place?.latitude).toBeCloseTo(40.71, 1);
    expect(place?.longitude).toBeCloseTo(-73.95, 1);
  });

  it.each(['11211 1234', '11211-1234', ' 11211 ', '112111234'])('reads the postal code %j', async (postalCode) => {
    expect(await geocoder.locate({ ...address, postalCode })).toEqual(await geocoder.locate(address));
  });

  it.each(['00000', '99999', '1121', '112111', 'H0H 0H0', '', '11211\n90210', '１１２１１'])(
    'does not find the postal code %j',
    async (postalCode) => {
      expect(await geocoder.locate({ ...address, postalCode })).toBeNull();
    },
  );

  it('does not find a postal code of another state', async () => {
    expect(await geocoder.locate({ ...address, state: 'CA' })).toBeNull();
  });

  it('answers concurrent requests', async () => {
    const places = await Promise.all(Array.from({ length: 50 }, () => geocoder.locate(address)));

    expect(new Set(places.map((place) => place?.latitude)).size).toBe(1);
  });
});

describe('the ZIP table', () => {
  const table = new URL('../../src/server/platform/adapters/zip-table/zip-codes.txt', import.meta.url);
  const lines = readFileSync(table, 'latin1').trimEnd().split('\n');

  it('has sorted lines of one format', () => {
    expect(lines.filter((line) => !/^\d{5}[A-Z]{2}\d{11}$/.test(line))).toEqual([]);
    expect(lines.map((line) => line.slice(0, 5))).toEqual([...new Set(lines.map((line) => line.slice(0, 5)))].sort());
  });

  it('finds every state, in the first and the last line as well', async () => {
    const geocoder = zipTableGeocoder();

    expect(new Set(lines.map((line) => line.slice(5, 7)))).toEqual(new Set(usStates));
    for (const line of [lines[0], lines.at(-1), lines[20_000]]) {
      const place = { ...address, postalCode: line?.slice(0, 5) ?? '', state: line?.slice(5, 7) ?? '' };
      expect(await geocoder.locate(place)).toEqual({
        latitude: Number(line?.slice(7, 12)) / 1000,
        longitude: -Number(line?.slice(12)) / 1000,
      });
    }
  });
});

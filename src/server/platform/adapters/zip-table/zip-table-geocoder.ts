/**
 * Geocodes an address offline to the center of its ZIP code. scripts/make-zip-table.mjs generates the table from the npm
 * package zipcodes (BSD, see zip-codes.LICENSE).
 */
import { readFile } from 'node:fs/promises';
import type { Address, Coordinates, Geocoder } from '#server/platform/ports/geocoder.ts';

const TABLE = new URL('zip-codes.txt', import.meta.url);
const LINE_BYTES = 19;
/** A ZIP code, alone or with its four-digit extension. */
const ZIP_CODE = /^(\d{5})(?:[ -]?\d{4})?$/;

export function zipTableGeocoder(): Geocoder {
  let table: Promise<Buffer> | undefined;

  return {
    async locate(address) {
      const zipCode = ZIP_CODE.exec(address.postalCode.trim())?.[1];
      if (!zipCode) return null;

      // Loaded on first use, because many processes never geocode.
      table ??= readFile(TABLE);
      return coordinatesOf(await table, zipCode, address.state);
    },
  };
}

/** Binary search over sorted fixed-length lines. A ZIP code in another state is taken for a typo. */
function coordinatesOf(table: Buffer, zipCode: string, state: Address['state']): Coordinates | null {
  let low = 0;
  let high = table.length / LINE_BYTES - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const line = table.toString('latin1', middle * LINE_BYTES, (middle + 1) * LINE_BYTES);
    const found = line.slice(0, 5);
    if (found === zipCode) {
      if (line.slice(5, 7) !== state) return null;
      return { latitude: Number(line.slice(7, 12)) / 1000, longitude: -Number(line.slice(12, 18)) / 1000 };
    }
    if (found < zipCode) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

// Writes src/server/platform/adapters/zip-table/zip-codes.txt from the npm package `zipcodes`: node scripts/make-zip-table.mjs
//
// One row of 19 bytes per ZIP code of the 50 states, sorted: 5 digits, state, latitude and western longitude in
// thousandths of a degree. Rows of equal length allow a binary search in the file's bytes.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import zipcodes from 'zipcodes';
import { usStates } from '../src/contract/forms/us-states.ts';

const FOLDER = new URL('../src/server/platform/adapters/zip-table/', import.meta.url);
const PACKAGE = new URL('../node_modules/zipcodes/', import.meta.url);

const states = new Set(usStates);
const lines = Object.values(zipcodes.codes)
  .filter(({ country, state }) => country === 'US' && states.has(state))
  // A few codes in the package are at 0, 0 or on the wrong side of the globe.
  .filter(({ latitude, longitude }) => latitude > 18 && latitude < 72 && longitude > -180 && longitude < -66)
  .map(({ zip, state, latitude, longitude }) => zip + state + thousandths(latitude, 5) + thousandths(-longitude, 6))
  .sort();

if (lines.length < 40_000 || lines.some((line) => !/^\d{5}[A-Z]{2}\d{11}$/.test(line)))
  throw new Error('The zipcodes package has an unexpected format.');
await writeFile(new URL('zip-codes.txt', FOLDER), lines.map((line) => `${line}\n`).join(''));
await copyFile(new URL('LICENSE', PACKAGE), new URL('zip-codes.LICENSE', FOLDER));

const { version } = JSON.parse(await readFile(new URL('package.json', PACKAGE), 'utf8'));
console.log(`${lines.length} ZIP codes from zipcodes ${version}`);

function thousandths(degrees, width) {
  return String(Math.round(degrees * 1000)).padStart(width, '0');
}

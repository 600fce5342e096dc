/** Writes docs/openapi.json, the description of the API that a change is compared with: `node scripts/api-document.mjs`. */
import { writeFileSync } from 'node:fs';
import { apiDocument } from '../src/server/main/api/api-document.ts';

writeFileSync(
  new URL('../docs/openapi.json', import.meta.url),
  `${JSON.stringify(apiDocument('https://tickets.example'), null, 2)}\n`,
);

/**
 * Writes what is made from the contract of the API: its description, docs/openapi.json, and the types of the client.
 *
 * `node scripts/api-document.mjs --release` also writes docs/openapi.released.json, which later changes may not break.
 */
import { writeFileSync } from 'node:fs';
import { clientTypes } from '../clients/typescript/generate.ts';
import { apiDocument } from '../src/server/main/api/api-document.ts';
import { run, withPackages } from './run.mjs';

const document = apiDocument('https://tickets.example');
const description = JSON.stringify(document);

const files = { 'docs/openapi.json': description, 'clients/typescript/src/api.gen.ts': await clientTypes(document) };
if (process.argv.includes('--release')) files['docs/openapi.released.json'] = description;

for (const [file, text] of Object.entries(files)) writeFileSync(new URL(`../${file}`, import.meta.url), text);
const { succeeded, output } = await run('biome', ['format', '--write', ...Object.keys(files)], { env: withPackages() });
if (!succeeded) throw new Error(output);

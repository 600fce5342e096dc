/** A client in another language, made of the description by a kept generator: OpenAPI::Client for Perl. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '#tests/support/api-keys.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { repository } from '../../house/planted-tree.ts';

/** The schema of OpenAPI 3.1, which it would fetch from this address. */
const OPENAPI_SCHEMA = 'https://spec.openapis.org/oas/3.1/schema/2021-05-20';
const SCHEMA_FILE = 'node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';

let app: TestApp;
let key: string;
let cache: string;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  const { eventId, visitor } = await eventOnSale(app);
  for (const quantity of [1, 1, 2]) await buyTickets(app, eventId, generalAdmission(quantity));
  key = await newApiKey(visitor);
  cache = await mkdtemp(join(tmpdir(), 'handstamp-perl-'));
  const name = createHash('md5').update(OPENAPI_SCHEMA).digest('hex');
  await copyFile(join(repository, SCHEMA_FILE), join(cache, name));
});
afterAll(() => rm(cache, { recursive: true }));

describe('A client in Perl', () => {
  it('lists orders, checks tickets in, and reads the codes of errors', async () => {
    const program = join(import.meta.dirname, 'check-in-order.pl');
    const env = { PATH: process.env['PATH'], JSON_VALIDATOR_CACHE_PATH: cache };

    const { stdout } = await promisify(execFile)('perl', [program, app.publicUrl, key], { env });

    expect(stdout.trim().split('\n')).toEqual([
      'order paid 2400',
      'order paid 2400',
      'order paid 4800',
      'ticket admitted',
      'ticket admitted',
      'denied event.not-found',
    ]);
  });
});

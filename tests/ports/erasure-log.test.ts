import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diskErasureLog } from '#server/platform/adapters/disk/disk-erasure-log.ts';
import { openBucket } from '#server/platform/adapters/s3/bucket.ts';
import { s3ErasureLog } from '#server/platform/adapters/s3/s3-erasure-log.ts';
import { newId } from '#server/platform/ids.ts';
import type { Erasure, ErasureLog } from '#server/platform/ports/erasure-log.ts';
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts';

const folder = await mkdtemp(join(tmpdir(), 'handstamp-erasures-'));
const file = join(folder, 'data', 'erasures.jsonl');

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3?.close();
  await rm(folder, { recursive: true });
});

const buyer: Erasure = {
  id: newId(),
  kind: 'buyer',
  addressHash: 'a'.repeat(32),
  accountHash: null,
  erasedAt: new Date('2026-05-01T12:00:00.123Z'),
};
const organization: Erasure = {
  ...buyer,
  id: newId(),
  kind: 'organization',
  addressHash: null,
  accountHash: 'b'.repeat(32),
};

const byId = (erasures: readonly Erasure[]) => erasures.toSorted((one, other) => (one.id < other.id ? -1 : 1));

interface Case {
  open: () => ErasureLog;
  spoil: () => Promise<void>;
}

describe.each<[string, Case]>([
  ['disk', { open: () => diskErasureLog(file), spoil: () => writeFile(file, '{"id": "cut o', { flag: 'a' }) }],
  [
    'S3',
    {
      open: () => s3ErasureLog(openBucket(s3.bucket)),
      spoil: () => openBucket(s3.bucket).put('erasures/by-hand', Buffer.from('?'), 'text/plain'),
    },
  ],
])('a log of erasures: %s', (_name, { open, spoil }) => {
  it('is empty at first', async () => {
    expect(await open().read()).toEqual([]);
  });

  it('has everything that any server appended [PHOTO-8]', async () => {
    await open().append([]);
    await open().append([buyer]);
    await open().append([organization]);

    expect(byId(await open().read())).toEqual(byId([buyer, organization]));
  });

  it('leaves out what is not an erasure', async () => {
    await spoil();
    await open().append([{ ...buyer, id: organization.id }]);

    const ids = new Set((await open().read()).map(({ id }) => id));
    expect(ids).toEqual(new Set([buyer.id, organization.id]));
  });
});

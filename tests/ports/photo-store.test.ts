import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diskPhotoStore } from '#server/platform/adapters/disk/disk-photo-store.ts';
import { openBucket } from '#server/platform/adapters/s3/bucket.ts';
import { s3PhotoStore } from '#server/platform/adapters/s3/s3-photo-store.ts';
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts';

const folder = await mkdtemp(join(tmpdir(), 'handstamp-photos-'));
const PHOTO = Buffer.from([0x52, 0x49, 0x46, 0x46, 0x00, 0xff, 0x0a]);

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
  await writeFile(join(folder, 'secret.txt'), 'not a photo');
  await openBucket(s3.bucket).put('secret.txt', Buffer.from('not a photo'), 'text/plain');
});
afterAll(async () => {
  await s3?.close();
  await rm(folder, { recursive: true });
});

interface Case {
  open: () => PhotoStore;
  /** Names next to and around the photos. */
  around: () => Promise<string[]>;
}

const onDisk: Case = { open: () => diskPhotoStore(join(folder, 'photos')), around: () => readdir(folder) };
const inBucket: Case = {
  open: () => s3PhotoStore(openBucket(s3.bucket)),
  async around() {
    const names = new Set<string>();
    for await (const { key } of openBucket(s3.bucket).list('')) names.add(key.split('/')[0] ?? '');
    return [...names];
  },
};

describe.each<[string, Case]>([
  ['disk', onDisk],
  ['S3', inBucket],
])('a photo store: %s', (_name, { open, around }) => {
  it('returns the stored bytes, after a restart as well [PHOTO-8]', async () => {
    await open().write('a.webp', PHOTO);

    expect(await open().read('a.webp')).toEqual(PHOTO);
  });

  it('has nothing under an unknown name', async () => {
    expect(await open().read('never.webp')).toBeNull();
  });

  it('mends a photo that was not written whole', async () => {
    const store = open();
    await store.write('torn.webp', PHOTO.subarray(0, 2));
    await store.read('torn.webp');
    await store.write('torn.webp', PHOTO);

    expect(await store.read('torn.webp')).toEqual(PHOTO);
    await store.remove('torn.webp');
  });

  it('has a photo that was asked for before it was stored', async () => {
    const store = open();
    expect(await store.read('later.webp')).toBeNull();
    await store.write('later.webp', PHOTO);

    expect(await store.read('later.webp')).toEqual(PHOTO);
    await store.remove('later.webp');
  });

  it('gives readers at the same time the same bytes once', async () => {
    const store = open();
    await store.write('shared.webp', PHOTO);
    const first = await store.read('shared.webp');

    expect(await store.read('shared.webp')).toBe(first);
    await store.remove('shared.webp');
    expect(await store.read('shared.webp')).toBeNull();
  });

  it('deletes a photo, and ignores a second delete', async () => {
    const store = open();
    await store.write('b.webp', PHOTO);
    await store.remove('b.webp');
    await store.remove('b.webp');

    expect(await store.read('b.webp')).toBeNull();
    expect(await open().read('b.webp')).toBeNull();
  });

  it('lists its photos, and knows whether it has one', async () => {
    const store = open();
    await store.write('c.webp', PHOTO);

    const names = [];
    for await (const { fileName, writtenAt } of store.list()) {
      names.push(fileName);
      expect(Math.abs(Date.now() - writtenAt.getTime())).toBeLessThan(60_000);
    }
    expect(names.sort()).toEqual(['a.webp', 'c.webp']);
    expect([await store.has('c.webp'), await store.has('never.webp')]).toEqual([true, false]);
    await store.remove('c.webp');
  });

  it.each(['../secret.txt', '..', 'a/../../secret.txt', '/etc/hostname', '..\\secret.txt', 'a\0.webp'])(
    'stays within its folder: %j',
    async (fileName) => {
      const store = open();
      const read = await store.read(fileName).catch(() => null);
      await store.write(fileName, PHOTO).catch(() => {});
      await store.remove(fileName).catch(() => {});

      expect(read).toBeNull();
      expect((await around()).sort()).toEqual(['photos', 'secret.txt']);
    },
  );
});

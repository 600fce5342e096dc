import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskPhotoStore } from '#server/platform/adapters/disk/disk-photo-store.ts';
import { openBucket } from '#server/platform/adapters/s3/bucket.ts';
import { s3PhotoStore } from '#server/platform/adapters/s3/s3-photo-store.ts';
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts';
import { copyPhotos } from './copy-photos.ts';

let folder: string;
let s3: S3Server;
let disk: PhotoStore;
let bucket: PhotoStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handstamp-copied-'));
  s3 = await startS3Server();
  disk = diskPhotoStore(folder);
  bucket = s3PhotoStore(openBucket(s3.bucket));
  for (const name of ['a', 'b', 'c']) await disk.write(`${name}.webp`, Buffer.from(name));
});
afterEach(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const contentOf = async (store: PhotoStore) => {
  const content: Record<string, string> = {};
  for await (const { fileName } of store.list()) content[fileName] = String(await store.read(fileName));
  return content;
};
const ALL = { 'a.webp': 'a', 'b.webp': 'b', 'c.webp': 'c' };

describe('Copying photos', () => {
  it('copies them to a bucket and back, and leaves the originals [PHOTO-11]', async () => {
    expect(await copyPhotos({ from: disk, to: bucket })).toEqual({ copied: 3, known: 0, gone: 0 });
    expect([await contentOf(disk), await contentOf(bucket)]).toEqual([ALL, ALL]);

    await disk.remove('b.webp');
    expect(await copyPhotos({ from: bucket, to: disk })).toEqual({ copied: 1, known: 2, gone: 0 });
    expect(await contentOf(disk)).toEqual(ALL);
  });

  it('copies only what is missing when it is repeated, and mends what broke off [PHOTO-11]', async () => {
    await bucket.write('a.webp', Buffer.from('a'));
    await bucket.write('b.webp', Buffer.from(''));

    expect(await copyPhotos({ from: disk, to: s3PhotoStore(openBucket(s3.bucket)) })).toEqual({
      copied: 2,
      known: 1,
      gone: 0,
    });
    expect(await contentOf(s3PhotoStore(openBucket(s3.bucket)))).toEqual(ALL);
  });

  it('goes on past a photo that is deleted meanwhile', async () => {
    const deleting = { ...disk, read: async (name: string) => (name === 'b.webp' ? null : disk.read(name)) };

    expect(await copyPhotos({ from: deleting, to: bucket })).toEqual({ copied: 2, known: 0, gone: 1 });
  });

  it('ends with an error if what it wrote is not there', async () => {
    const forgetting = { ...bucket, write: async () => {} };

    await expect(copyPhotos({ from: disk, to: forgetting })).rejects.toThrow('is not what was written');
  });
});

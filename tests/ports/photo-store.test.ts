import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diskPhotoStore } from '#server/platform/adapters/disk/disk-photo-store.ts';
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'handstamp-photos-'));
const PHOTO = Buffer.from([0x52, 0x49, 0x46, 0x46, 0x00, 0xff, 0x0a]);

beforeAll(() => writeFile(join(folder, 'secret.txt'), 'not a photo'));
afterAll(() => rm(folder, { recursive: true }));

describe.each<[string, () => PhotoStore]>([['disk', () => diskPhotoStore(join(folder, 'photos'))]])(
  'a photo store: %s',
  (_name, open) => {
    it('returns the stored bytes, after a restart as well', async () => {
      await open().write('a.webp', PHOTO);

      expect(await open().read('a.webp')).toEqual(PHOTO);
    });

    it('has nothing under an unknown name', async () => {
      expect(await open().read('never.webp')).toBeNull();
    });

    it('deletes a photo, and ignores a second delete', async () => {
      const store = open();
      await store.write('b.webp', PHOTO);
      await store.remove('b.webp');
      await store.remove('b.webp');

      expect(await store.read('b.webp')).toBeNull();
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
        expect((await readdir(folder)).sort()).toEqual(['photos', 'secret.txt']);
      },
    );
  },
);

/** Stores photos in a bucket, which any number of servers share. */
import { LRUCache } from 'lru-cache';
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';
import type { Bucket } from './bucket.ts';

const FOLDER = 'photos/';
/** Of each process. The photos of a big sale fit, so that its visitors cost one request to the bucket. */
const CACHED_BYTES_MAX = 32 * 1024 * 1024;

export function s3PhotoStore(bucket: Bucket): PhotoStore {
  // Readers of one photo share a request, and its bytes while they are sent. Whether a photo may still be seen is not known here, but
  // to the database.
  const cached = new LRUCache<string, Buffer>({
    maxSize: CACHED_BYTES_MAX,
    sizeCalculation: ({ length }) => length || 1,
    fetchMethod: async (key) => (await bucket.get(key)) ?? undefined,
  });

  return {
    async write(fileName, content) {
      const key = keyOf(fileName);
      await bucket.put(key, content, 'image/webp');
      cached.delete(key);
    },
    has: async (fileName) => bucket.has(keyOf(fileName)),
    read: async (fileName) => (await cached.fetch(keyOf(fileName))) ?? null,
    async remove(fileName) {
      const key = keyOf(fileName);
      cached.delete(key);
      await bucket.remove(key);
    },
    async *list() {
      for await (const { key, writtenAt } of bucket.list(FOLDER))
        yield { fileName: key.slice(FOLDER.length), writtenAt };
    },
  };
}

/** Some services resolve dots in a key as in a path. */
function keyOf(fileName: string): string {
  if (!/^[\w-]+\.webp$/.test(fileName)) throw new Error('not the name of a photo');
  return FOLDER + fileName;
}

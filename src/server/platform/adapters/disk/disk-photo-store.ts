/** Stores photos in a folder. */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { PhotoStore, StoredPhoto } from '#server/platform/ports/photo-store.ts';

/** Suffix of a file until it is completely written. */
const UNFINISHED = '.part';

/** `folder` is created with the first photo. Flydrive rejects names that point outside of it. */
export function diskPhotoStore(folder: string): PhotoStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));

  // Buffers still being sent, shared by slow readers of the same photo. Freed after the last of them.
  const inFlight = new Map<string, WeakRef<Buffer>>();
  const cleanup = new FinalizationRegistry<string>((fileName) => {
    if (inFlight.get(fileName)?.deref() === undefined) inFlight.delete(fileName);
  });

  async function removeWithUnfinished(fileName: string): Promise<void> {
    await disk.delete(fileName);
    await disk.delete(`${fileName}${UNFINISHED}`);
  }

  return {
    async write(fileName, content) {
      const unfinished = `${fileName}${UNFINISHED}`;
      try {
        await disk.put(unfinished, content);
        // Flushed first, so that the file survives a power cut like the row that refers to it.
        await flush(join(folder, unfinished));
        await disk.move(unfinished, fileName);
        inFlight.delete(fileName);
      } catch (error) {
        await disk.delete(unfinished).catch(() => {});
        throw error;
      }
    },
    has: (fileName) => disk.exists(fileName),
    async read(fileName) {
      if (!(await disk.exists(fileName))) return null;
      const known = inFlight.get(fileName)?.deref();
      if (known) return known;
      const photo = Buffer.from(await disk.getBytes(fileName));
      inFlight.set(fileName, new WeakRef(photo));
      cleanup.register(photo, fileName);
      return photo;
    },
    remove: removeWithUnfinished,
    list: () => filesIn(folder),
  };
}

async function flush(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* filesIn(folder: string): AsyncGenerator<StoredPhoto> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const name of names) {
    // The file may be removed concurrently.
    const file = await stat(join(folder, name)).catch(() => null);
    if (file?.isFile()) yield { fileName: name.replace(/\.part$/, ''), writtenAt: file.mtime };
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Keeps photos in a folder. */
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { PhotoStore } from '#server/ports/photo-store.ts';

/** `folder` is made with the first photo. Names that would leave it are refused by the library with an error. */
export function diskPhotoStore(folder: string): PhotoStore {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));

  return {
    write: (fileName, content) => disk.put(fileName, content),
    async read(fileName) {
      if (!(await disk.exists(fileName))) return null;
      return Buffer.from(await disk.getBytes(fileName));
    },
    async remove(fileName) {
      await disk.delete(fileName);
    },
  };
}

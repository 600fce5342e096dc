/** Files chosen for an upload, each with a preview URL. */
import { useEffect, useRef, useState } from 'react';
import type { ChosenFile } from './photo-problems.ts';

export interface ChosenPhoto extends ChosenFile {
  id: string;
  file: File;
  preview: string;
}

export function useChosenPhotos() {
  const [photos, setPhotos] = useState<readonly ChosenPhoto[]>([]);
  const previews = useRef(new Set<string>());

  // Object URLs keep their image in memory until revoked.
  useEffect(() => {
    const urls = previews.current;
    return () => {
      for (const preview of urls) URL.revokeObjectURL(preview);
    };
  }, []);

  function choose(file: File): ChosenPhoto {
    const preview = URL.createObjectURL(file);
    previews.current.add(preview);
    const id = [file.name, file.size, file.lastModified].join('/');
    return { id, file, preview, type: file.type, size: file.size };
  }

  return {
    photos,
    /** Ignores a file that is already chosen. */
    add(files: readonly File[]) {
      const added = files.map(choose);
      setPhotos((before) => [
        ...before,
        ...added.filter(
          (photo, index) =>
            !before.some(({ id }) => id === photo.id) && added.findIndex(({ id }) => id === photo.id) === index,
        ),
      ]);
    },
    remove: (id: string) => setPhotos((before) => before.filter((photo) => photo.id !== id)),
    measure: (id: string, pixels: number) =>
      setPhotos((before) => before.map((photo) => (photo.id === id ? { ...photo, pixels } : photo))),
    /** Swaps a photo with its neighbor. */
    move: (id: string, by: -1 | 1) =>
      setPhotos((before) => {
        const from = before.findIndex((photo) => photo.id === id);
        const [moved, other] = [before[from], before[from + by]];
        if (!moved || !other) return before;
        return before.map((photo) => (photo === moved ? other : photo === other ? moved : photo));
      }),
  };
}

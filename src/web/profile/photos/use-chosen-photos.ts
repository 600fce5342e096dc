/** The files chosen for an upload, each with an address that shows it before it is sent. */
import { useEffect, useRef, useState } from 'react';
import type { ChosenFile } from './photo-choice.ts';

export interface ChosenPhoto extends ChosenFile {
  id: string;
  file: File;
  preview: string;
}

export function useChosenPhotos() {
  const [photos, setPhotos] = useState<readonly ChosenPhoto[]>([]);
  const previews = useRef(new Set<string>());

  // The browser holds every picture in memory until its address is given back.
  useEffect(() => {
    const held = previews.current;
    return () => {
      for (const preview of held) URL.revokeObjectURL(preview);
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
    /** A file that is chosen twice counts once. */
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
    /** Swaps a photo with the one before or after it. */
    move: (id: string, by: -1 | 1) =>
      setPhotos((before) => {
        const from = before.findIndex((photo) => photo.id === id);
        const [moved, other] = [before[from], before[from + by]];
        if (!moved || !other) return before;
        return before.map((photo) => (photo === moved ? other : photo === other ? moved : photo));
      }),
  };
}

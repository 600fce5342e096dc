/** Decides which of the chosen files can be uploaded, and why the others can't. */
import { PHOTO_BYTES_MAX, PHOTO_PIXELS_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { photoRules } from '#messages/photos.ts';

export interface ChosenFile {
  type: string;
  size: number;
  /** Set once the browser has decoded the image; 0 if it couldn't. */
  pixels?: number;
}

/** A reason or `null` for each file. Only valid files count toward the photo limit. */
export function photoProblems(files: readonly ChosenFile[], storedPhotos: number): (string | null)[] {
  let remaining = PHOTOS_PER_EVENT_MAX - storedPhotos;
  return files.map((file) => {
    const problem = problemOf(file);
    if (problem) return problem;
    remaining -= 1;
    return remaining < 0 ? photoRules['too-many'] : null;
  });
}

function problemOf({ type, size, pixels }: ChosenFile): string | null {
  if (!/^image\/(jpeg|png|webp)$/.test(type) || pixels === 0) return photoRules['not-a-photo'];
  if (size > PHOTO_BYTES_MAX) return photoRules['too-large'];
  return pixels !== undefined && pixels > PHOTO_PIXELS_MAX ? photoRules['too-many-pixels'] : null;
}

/** Which of the chosen files can go up, and why the others cannot. */
import { photoRefusals } from '#contract/photos.ts';
import { PHOTO_BYTES_MAX, PHOTO_PIXELS_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';

export interface ChosenFile {
  type: string;
  /** Bytes. */
  size: number;
  /** Known once the browser has opened the picture; 0 if it could not. */
  pixels?: number;
}

/** One sentence, or `null`, for each file in order: the limit of photos counts only those that can go up. */
export function refusalsOf(files: readonly ChosenFile[], storedPhotos: number): (string | null)[] {
  let room = PHOTOS_PER_EVENT_MAX - storedPhotos;
  return files.map((file) => {
    const refusal = refusalOf(file);
    if (refusal) return refusal;
    room -= 1;
    return room < 0 ? photoRefusals['too-many'] : null;
  });
}

function refusalOf({ type, size, pixels }: ChosenFile): string | null {
  if (!/^image\/(jpeg|png|webp)$/.test(type) || pixels === 0) return photoRefusals['not-a-photo'];
  if (size > PHOTO_BYTES_MAX) return photoRefusals['too-large'];
  return pixels !== undefined && pixels > PHOTO_PIXELS_MAX ? photoRefusals['too-many-pixels'] : null;
}

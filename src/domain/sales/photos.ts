/** The organizer's arrangement of an event's photos. */

/** What stays in view where a photo is cropped, in percent from the left and the top. */
export interface Focus {
  x: number;
  y: number;
}

export interface EventPhoto {
  url: string;
  altText: string;
  /** Null: the middle. */
  focus: Focus | null;
  isCover: boolean;
}

/** The photo that stands for the event, if it has any: the first one, unless another was chosen. */
export const coverOf = (photos: readonly EventPhoto[]): EventPhoto | null =>
  photos.find(({ isCover }) => isCover) ?? photos[0] ?? null;

/** Pages crop by a style sheet that knows these steps alone. */
export const FOCUS_STEP = 5;

export const isFocusPercent = (percent: number): boolean =>
  percent >= 0 && percent <= 100 && percent % FOCUS_STEP === 0;

export interface Arrangement {
  /** The photos in the order that the organizer saw. */
  seen: readonly string[];
  /** The same in their new order. */
  arranged: readonly string[];
  cover: string | null;
}

export type ArrangementDenial = 'changed' | 'unknown' | 'not-arranged';

/** @param stored the photos in their order now */
export function denyArrangement(
  stored: readonly string[],
  { seen, arranged, cover }: Arrangement,
): ArrangementDenial | null {
  const isOne = (photo: string) => stored.includes(photo);
  // A photo that another window has deleted was one.
  if (arranged.some((photo) => !isOne(photo) && !seen.includes(photo))) return 'unknown';
  if (seen.length !== stored.length || seen.some((photo, index) => photo !== stored[index])) return 'changed';
  if (arranged.length !== stored.length || new Set(arranged).size !== arranged.length) return 'not-arranged';
  return cover === null || isOne(cover) ? null : 'unknown';
}

/** The edge of a window that shows as much as fits of a length: the focus is as far into the window as into the length. */
export const cropEdge = (length: number, window: number, percent: number): number =>
  Math.round(((length - window) * percent) / 100);

/** The order, cover, focal points and texts of an event's photos, until they are saved. */
import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { PhotoArrangement } from '#contract/app/photos.ts';
import { FOCUS_STEP, type Focus } from '#domain/sales/photos.ts';

export type ArrangedPhoto = PhotoArrangement['photos'][number];

type StoredPhotos = Pick<OrganizerEvent, 'eventPhotos' | 'coverPhoto' | 'photoDetails'>;

export type Arrangement = Pick<PhotoArrangement, 'photos' | 'cover'>;

export const MIDDLE: Focus = { x: 50, y: 50 };

export function arrangementOf({ eventPhotos, coverPhoto = 0, photoDetails }: StoredPhotos): Arrangement {
  return {
    photos: eventPhotos.map((url, index) => ({
      url,
      altText: photoDetails?.[index]?.altText ?? '',
      focus: photoDetails?.[index]?.focus ?? null,
    })),
    cover: coverPhoto > 0 ? (eventPhotos[coverPhoto] ?? null) : null,
  };
}

/** Moves the photo to this position, and what is between to its place. */
export function movedTo(photos: readonly ArrangedPhoto[], url: string, position: number): ArrangedPhoto[] {
  const moved = photos.find((photo) => photo.url === url);
  return moved ? photos.filter((photo) => photo !== moved).toSpliced(position, 0, moved) : [...photos];
}

export const coverOf = ({ photos, cover }: Arrangement): string | null => cover ?? photos[0]?.url ?? null;

/** The nearest point that pages can crop to. */
export function focusAt(x: number, y: number): Focus {
  const near = (percent: number) => Math.min(100, Math.max(0, Math.round(percent / FOCUS_STEP) * FOCUS_STEP));
  return { x: near(x), y: near(y) };
}

export function useArrangement(event: StoredPhotos) {
  // What the organizer saw: the event may be read again while the dialog is open.
  const [stored, setStored] = useState(event);
  const [arrangement, setArrangement] = useState(() => arrangementOf(event));
  const { photos, cover } = arrangement;
  const change = (url: string, to: Partial<ArrangedPhoto>) =>
    setArrangement({ cover, photos: photos.map((photo) => (photo.url === url ? { ...photo, ...to } : photo)) });

  return {
    photos,
    cover: coverOf(arrangement),
    isChanged: JSON.stringify(arrangement) !== JSON.stringify(arrangementOf(stored)),
    move: (url: string, position: number) => setArrangement({ cover, photos: movedTo(photos, url, position) }),
    change,
    chooseCover: (url: string) => setArrangement({ photos, cover: url }),
    /** What saves it. The first photo is the cover without being chosen, so that it follows the order. */
    input: (): Omit<PhotoArrangement, 'eventId'> => ({
      seen: stored.eventPhotos,
      photos,
      cover: cover === photos[0]?.url ? null : cover,
    }),
    startAgain: (latest: StoredPhotos) => {
      setStored(latest);
      setArrangement(arrangementOf(latest));
    },
  };
}

export type OpenArrangement = ReturnType<typeof useArrangement>;

import { useState } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { PHOTOS_SHOWN } from '#domain/limits.ts';
import { photoSource } from '#web/photo-source.ts';
import { Poster } from '#web/ui/ticket/Poster.tsx';
import styles from '../event-page.module.css';
import { PhotoCarousel } from './PhotoCarousel.tsx';

/** The organizer's photos, the cover first, or the generated poster if there are none or none loads. */
export function EventImage({ event }: { event: PublicEvent }) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const others = event.eventPhotos.map((photo, index) => ({ src: photoSource(photo), ...event.photoDetails?.[index] }));
  const cover = others.splice(event.coverPhoto ?? 0, 1);
  const photos = [...cover, ...others].slice(0, PHOTOS_SHOWN).filter(({ src }) => !broken.includes(src));

  if (photos.length === 0) return <Poster eventId={event.eventId} className={styles.poster} />;
  return (
    <PhotoCarousel
      photos={photos}
      title={event.title}
      onBroken={(photo) => setBroken((others) => [...others, photo])}
    />
  );
}

import { useRef, useState } from 'react';
import type { PhotoDetails } from '#contract/photo-details.ts';
import { inFocus, photoSizes } from '#web/photo-source.ts';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import styles from './PhotoCarousel.module.css';

interface PhotoCarouselProps {
  photos: readonly (PhotoDetails & { src: string })[];
  title: string;
  onBroken: (photo: string) => void;
}

/** Scrolls natively, by swipe, arrow keys or the two buttons. */
export function PhotoCarousel({ photos, title, onBroken }: PhotoCarouselProps) {
  const track = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const hasSeveral = photos.length > 1;

  function show(index: number) {
    track.current?.scrollTo({ left: index * track.current.clientWidth });
  }

  return (
    <section className={styles.carousel} aria-label="Photos" aria-roledescription="carousel">
      <div
        ref={track}
        className={styles.track}
        role="group"
        aria-label={`${photos.length} ${hasSeveral ? 'photos' : 'photo'} of ${title}`}
        // Focusable, so that arrow keys can scroll it.
        tabIndex={hasSeveral ? 0 : undefined}
        onScroll={({ currentTarget }) => setShown(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
      >
        {photos.map(({ src, altText, focus }, index) => (
          <img
            key={src}
            src={src}
            {...photoSizes(src)}
            {...inFocus(focus)}
            alt={altText ?? `${title}, ${index + 1} of ${photos.length}`}
            width={1280}
            height={720}
            loading={index === 0 ? 'eager' : 'lazy'}
            fetchPriority={index === 0 ? 'high' : 'auto'}
            decoding="async"
            // The photo may have failed before hydration.
            ref={(image) => {
              if (image?.complete && image.naturalWidth === 0 && image.getAttribute('src')) onBroken(src);
            }}
            onError={() => onBroken(src)}
          />
        ))}
      </div>
      {hasSeveral && (
        <div className={styles.controls}>
          <IconButton
            label="Previous photo"
            icon="chevron-left"
            disabled={shown === 0}
            onClick={() => show(shown - 1)}
          />
          <p className={styles.counter}>
            {shown + 1} / {photos.length}
          </p>
          <IconButton
            label="Next photo"
            icon="chevron-right"
            disabled={shown === photos.length - 1}
            onClick={() => show(shown + 1)}
          />
        </div>
      )}
    </section>
  );
}

import { Children, type ReactNode } from 'react';
import { PHOTOS_SHOWN } from '#domain/limits.ts';
import styles from './PhotoTiles.module.css';

/** Photos in order, with a divider after those shown on the event page. Each child is a tile. */
export function PhotoTiles({ label, children }: { label: string; children: ReactNode }) {
  const tiles = Children.toArray(children);
  const beyond = tiles.slice(PHOTOS_SHOWN);

  return (
    <div className={styles.photos}>
      <ul className={styles.tiles} aria-label={label}>
        {tiles.slice(0, PHOTOS_SHOWN)}
      </ul>
      {beyond.length > 0 && (
        <>
          <p className={styles.divider}>
            <span>The first {PHOTOS_SHOWN} show on the event page</span>
          </p>
          <ul className={styles.tiles} aria-label={`${label}, not on the event page`}>
            {beyond}
          </ul>
        </>
      )}
    </div>
  );
}

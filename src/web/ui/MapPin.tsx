import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { mapNotLoaded } from '#contract/page-words.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from './Button.tsx';
import type { PinnedMap, Place, pinnedMap } from './leaflet-map.ts';
import styles from './MapPin.module.css';

interface MapPinProps extends Place {
  /** What stands there: the pin's name, and its popup where it cannot be moved. */
  label: string;
  onMove?: (place: Place) => void;
}

/** A map with one pin. It stays useful without tiles: the pin, and the coordinates in words. */
export function MapPin({ latitude, longitude, label, onMove }: MapPinProps) {
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<PinnedMap>(null);
  const [attempt, setAttempt] = useState(1);
  const [failedAttempt, setFailedAttempt] = useState(0);
  const keysHint = useId();

  const isMovable = Boolean(onMove);
  const tellMove = useEffectEvent((place: Place) => onMove?.(place));
  const build = useEffectEvent((draw: typeof pinnedMap, target: HTMLElement) =>
    draw(target, { latitude, longitude, label, onMove: isMovable ? tellMove : undefined }),
  );

  useEffect(() => {
    let isGone = false;
    loadCode(() => import('./leaflet-map.ts')).then(
      ({ pinnedMap }) => {
        if (!isGone && container.current) map.current = build(pinnedMap, container.current);
      },
      () => setFailedAttempt(attempt),
    );
    return () => {
      isGone = true;
      map.current?.remove();
      map.current = null;
    };
  }, [attempt]);

  useEffect(() => map.current?.show({ latitude, longitude }), [latitude, longitude]);

  return (
    <div className={styles.frame}>
      <div
        ref={container}
        className={styles.map}
        role="group"
        aria-label={isMovable ? 'Map with a pin that you can move' : `Map: ${label}`}
        aria-describedby={isMovable ? keysHint : undefined}
      />
      {failedAttempt === attempt && (
        <p className={styles.missing} role="status">
          {mapNotLoaded}
          <Button kind="ghost" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </Button>
        </p>
      )}
      {isMovable && (
        <p id={keysHint} className={styles.note}>
          Drag the pin, or focus it and press the arrow keys (Shift for bigger steps).
        </p>
      )}
    </div>
  );
}

import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { mapNeedsReload, mapNeedsReloadAfterSaving, mapNotLoaded } from '#messages/pages.ts';
import { loadCode } from '#web/load-code.ts';
import { isServerReachable } from '#web/server-reachable.ts';
import { Button } from '#web/ui/button/Button.tsx';
import type { Coordinates, PinnedMap, pinnedMap } from './leaflet-map.ts';
import styles from './MapPin.module.css';

interface MapPinProps extends Coordinates {
  /** Accessible name of the pin, and its popup text where it can't be moved. */
  label: string;
  onMove?: (position: Coordinates) => void;
}

/** The last failed load, and whether retrying in this page can succeed. */
interface Missing {
  attempt: number;
  needsReload: boolean;
}

/** How far from what is in view a map begins to load. */
const NEAR = '400px';

/** A map with one pin, loaded once it is near. Without tiles it still shows the pin and the coordinates as text. */
export function MapPin({ latitude, longitude, label, onMove }: MapPinProps) {
  const frame = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<PinnedMap>(null);
  const isNear = useIsNear(frame);
  const [attempt, setAttempt] = useState(1);
  const [missing, setMissing] = useState<Missing | null>(null);
  const keysHint = useId();

  const isMovable = Boolean(onMove);
  const notifyMove = useEffectEvent((position: Coordinates) => onMove?.(position));
  const build = useEffectEvent((create: typeof pinnedMap, target: HTMLElement) =>
    create(target, { latitude, longitude, label, onMove: isMovable ? notifyMove : undefined }),
  );

  useEffect(() => {
    if (!isNear) return undefined;
    let isGone = false;
    loadCode(() => import('./leaflet-map.ts')).then(
      ({ pinnedMap }) => {
        if (isGone || !container.current) return;
        map.current = build(pinnedMap, container.current);
        setMissing(null);
        // The pressed button is removed.
        if (frame.current?.contains(document.activeElement)) container.current.focus({ preventScroll: true });
      },
      async () => {
        // A browser may cache the failed module until a reload, which would lose typed form fields.
        const needsReload = attempt > 1 && (await isServerReachable());
        if (!isGone) setMissing({ attempt, needsReload });
      },
    );
    return () => {
      isGone = true;
      map.current?.remove();
      map.current = null;
    };
  }, [attempt, isNear]);

  useEffect(() => map.current?.show({ latitude, longitude }), [latitude, longitude]);

  return (
    <div ref={frame} className={styles.frame}>
      <div
        ref={container}
        className={styles.map}
        role="group"
        aria-label={isMovable ? 'Map with a pin you can move' : `Map: ${label}`}
        aria-describedby={isMovable ? keysHint : undefined}
      />
      {missing && (
        <p className={styles.missing} role="status">
          {missing.needsReload ? (isMovable ? mapNeedsReloadAfterSaving : mapNeedsReload) : mapNotLoaded}
          {missing.needsReload && !isMovable ? (
            <Button kind="ghost" onClick={() => location.reload()}>
              Reload the page
            </Button>
          ) : (
            <Button kind="ghost" busy={missing.attempt < attempt} onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          )}
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

/** Once it was, it stays so. */
function useIsNear(target: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!target.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      // Of the window, and of a dialog that scrolls by itself.
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return isNear;
}

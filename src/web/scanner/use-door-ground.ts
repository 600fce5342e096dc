import { useEffect } from 'react';
import type { Outcome } from './outcome.ts';

const ADMITTED_MS = 5000;

/**
 * The page's ground: light green for 5 seconds after a success, else white, also in dark mode.
 * Set on the root element, because the green must reach every edge of the screen.
 */
export function useDoorGround(latest: Outcome | undefined) {
  useEffect(() => {
    document.documentElement.dataset['door'] = 'ready';
    return () => {
      delete document.documentElement.dataset['door'];
    };
  }, []);

  useEffect(() => {
    if (latest?.kind !== 'admitted') return;
    document.documentElement.dataset['door'] = 'admitted';
    const timer = setTimeout(whiten, ADMITTED_MS);
    return () => {
      clearTimeout(timer);
      whiten();
    };
  }, [latest]);
}

function whiten() {
  if (document.documentElement.dataset['door']) document.documentElement.dataset['door'] = 'ready';
}

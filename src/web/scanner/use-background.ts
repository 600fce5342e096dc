import { useEffect } from 'react';
import type { Outcome } from './check-in/check-in-result.ts';

const LET_IN_MS = 5000;

/**
 * The page's ground: light green for 5 seconds after a success, amber green after one that the server has not heard of, else
 * white, also in dark mode. Set on the root element, because the green must reach every edge of the screen.
 */
export function useDoorGround(latest: Outcome | undefined) {
  const ground = latest && !latest.isTakenBack ? groundAfter(latest) : null;
  const scan = latest?.id;

  useEffect(() => {
    document.documentElement.dataset['door'] = 'ready';
    return () => {
      delete document.documentElement.dataset['door'];
    };
  }, []);

  // By the scan, not by its object: the next guest of the same kind begins five seconds of their own.
  useEffect(() => {
    if (ground === null || scan === undefined) return;
    document.documentElement.dataset['door'] = ground;
    const timer = setTimeout(whiten, LET_IN_MS);
    return () => {
      clearTimeout(timer);
      whiten();
    };
  }, [ground, scan]);
}

function groundAfter({ kind }: Outcome): 'admitted' | 'admitted-offline' | null {
  return kind === 'admitted' || kind === 'admitted-offline' ? kind : null;
}

function whiten() {
  if (document.documentElement.dataset['door']) document.documentElement.dataset['door'] = 'ready';
}

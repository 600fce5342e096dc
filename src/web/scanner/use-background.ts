import { useEffect } from 'react';
import type { CheckInResult } from './check-in/check-in-result.ts';

const HIGHLIGHT_MS = 5000;

/**
 * Sets the page background: light green for 5 seconds after an admission, light blue after an add-on was handed out, amber green after an offline one, otherwise white, in dark
 * mode too. Set on the root element, so that the color reaches every edge of the screen.
 */
export function useScannerBackground(latest: CheckInResult | undefined) {
  const highlight = latest && !latest.isUndone ? highlightFor(latest) : null;
  const scanId = latest?.id;

  useEffect(() => {
    document.documentElement.dataset['scanner'] = 'ready';
    return () => {
      delete document.documentElement.dataset['scanner'];
    };
  }, []);

  // Keyed by scan id, so that the next guest with the same result gets five seconds of their own.
  useEffect(() => {
    if (highlight === null || scanId === undefined) return;
    document.documentElement.dataset['scanner'] = highlight;
    const timer = setTimeout(resetBackground, HIGHLIGHT_MS);
    return () => {
      clearTimeout(timer);
      resetBackground();
    };
  }, [highlight, scanId]);
}

function highlightFor({ kind }: CheckInResult): 'admitted' | 'admitted-offline' | 'handed-out' | null {
  if (kind === 'handed-out-offline') return 'handed-out';
  return kind === 'admitted' || kind === 'admitted-offline' || kind === 'handed-out' ? kind : null;
}

function resetBackground() {
  if (document.documentElement.dataset['scanner']) document.documentElement.dataset['scanner'] = 'ready';
}

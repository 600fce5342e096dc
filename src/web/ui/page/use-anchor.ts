import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Moves the focus to the part of the page that its address names, once that is there. */
export function useAnchor(isShown: boolean): void {
  const { hash, key } = useLocation();
  // Each click on a link has a key of its own.
  useEffect(() => {
    if (!isShown || !hash || !key) return;
    const part = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!part) return;
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
    part.scrollIntoView({ block: 'center' });
  }, [isShown, hash, key]);
}

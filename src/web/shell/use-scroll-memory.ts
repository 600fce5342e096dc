import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const positions = new Map<string, number>();

/**
 * Scrolls a new page to its top or anchor and restores the position on back navigation. The browser handles reloads.
 */
export function useScrollMemory(): void {
  const location = useLocation();
  const { key, hash } = location;
  const isKept = keepsScroll(location.state);
  const isReturn = useNavigationType() === 'POP';
  const shown = useRef(key);
  // The browser may scroll between `popstate` and the new page; don't store that position.
  const isLeaving = useRef(false);

  useEffect(() => {
    const remember = () => {
      if (!isLeaving.current) positions.set(shown.current, window.scrollY);
    };
    const leave = () => {
      isLeaving.current = true;
    };
    window.addEventListener('scroll', remember, { passive: true });
    window.addEventListener('popstate', leave);
    return () => {
      window.removeEventListener('scroll', remember);
      window.removeEventListener('popstate', leave);
    };
  }, []);

  useLayoutEffect(() => {
    isLeaving.current = false;
    if (shown.current === key) return;
    shown.current = key;
    const anchor = hash && !isReturn ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
    if (anchor) anchor.scrollIntoView();
    else if (isReturn || !isKept) window.scrollTo(0, isReturn ? (positions.get(key) ?? 0) : 0);
  }, [key, hash, isReturn, isKept]);
}

/** A panel that opens over the page has an address of its own. */
const keepsScroll = (state: unknown): boolean => typeof state === 'object' && state !== null && 'keepsScroll' in state;

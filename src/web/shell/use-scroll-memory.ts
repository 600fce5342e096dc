import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

const positions = new Map<string, number>();

/** A new page starts at its top or its anchor; going back finds the place that was left. A reload is the browser's own. */
export function useScrollMemory(): void {
  const { key, hash } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const shown = useRef(key);
  // Between the back button and the new page, the browser may already scroll: that is not the reader's place.
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
    else window.scrollTo(0, isReturn ? (positions.get(key) ?? 0) : 0);
  }, [key, hash, isReturn]);
}

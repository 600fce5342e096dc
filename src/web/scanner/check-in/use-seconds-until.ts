import { useEffect, useState } from 'react';

/** Whole seconds left; 0 once `end` has passed or without one. */
export function useSecondsUntil(end: Date | null): number {
  const [now, setNow] = useState(() => Date.now());
  const msLeft = end ? Math.max(0, end.getTime() - now) : 0;

  useEffect(() => {
    if (msLeft === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), msLeft % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [msLeft]);

  return Math.ceil(msLeft / 1000);
}

import { useEffect, useState } from 'react';

/** Whole seconds that are left, 0 once it is over or was never to be. */
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

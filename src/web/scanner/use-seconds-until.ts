import { useEffect, useState } from 'react';

/** Whole seconds that are left, 0 once it is over or was never to be. */
export function useSecondsUntil(end: Date | null): number {
  const [now, setNow] = useState(() => Date.now());
  const left = end ? Math.max(0, Math.ceil((end.getTime() - now) / 1000)) : 0;

  useEffect(() => {
    if (left === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [left === 0]);

  return left;
}

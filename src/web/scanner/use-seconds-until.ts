import { useEffect, useState } from 'react';

const secondsLeft = (end: Date | null, now: number) => (end ? Math.max(0, Math.ceil((end.getTime() - now) / 1000)) : 0);

/** Whole seconds that are left, 0 once it is over or was never to be. Only another second draws anew. */
export function useSecondsUntil(end: Date | null): number {
  const [shownAt, setShownAt] = useState(() => Date.now());
  const left = secondsLeft(end, shownAt);

  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      const now = Date.now();
      setShownAt((at) => (secondsLeft(end, now) === secondsLeft(end, at) ? at : now));
    }, 250);
    return () => clearInterval(timer);
  }, [end, isRunning]);

  return left;
}

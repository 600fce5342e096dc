import { useEffect, useState } from 'react';

/** Whole seconds that are left, 0 once it is over or was never to be. */
export function useSecondsUntil(end: Date | null): number {
  const [now, setNow] = useState(() => Date.now());
  const left = end ? Math.max(0, Math.ceil((end.getTime() - now) / 1000)) : 0;

  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);

  return left;
}

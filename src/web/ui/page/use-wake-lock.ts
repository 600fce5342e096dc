import { useEffect } from 'react';

/** Keeps the screen lit while `isActive`. Browsers drop the lock with a hidden tab, so it is taken again. */
export function useWakeLock(isActive: boolean) {
  useEffect(() => {
    if (!isActive || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;

    async function take() {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      try {
        const taken = await navigator.wakeLock.request('screen');
        if (isOver) await taken.release();
        else lock = taken;
      } catch {
        // A low battery may refuse it. The screen then dims as usual.
      }
    }

    const onVisibility = () => void take();
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', onVisibility);
      void lock?.release();
    };
  }, [isActive]);
}

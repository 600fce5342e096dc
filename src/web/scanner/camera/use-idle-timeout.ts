import { useEffect, useEffectEvent, useRef } from 'react';

const IDLE_MS = 3 * 60_000;

/**
 * Calls `onIdle` three minutes after the last touch, key press or `keepAwake()`, so that a camera in a pocket does not film all
 * night. A hidden page gets none of these events.
 */
export function useIdleTimeout(isOn: boolean, onIdle: () => void): () => void {
  const lastActivity = useRef(0);
  const idle = useEffectEvent(onIdle);

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout>;
    const keepAwake = () => {
      lastActivity.current = Date.now();
    };
    // One timer that checks again, because most activity comes long before it ends.
    const wait = (ms: number) => {
      timer = setTimeout(() => {
        const left = lastActivity.current + IDLE_MS - Date.now();
        if (left > 0) wait(left);
        else idle();
      }, ms);
    };
    keepAwake();
    wait(IDLE_MS);
    for (const event of ACTIVITY_EVENTS) document.addEventListener(event, keepAwake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of ACTIVITY_EVENTS) document.removeEventListener(event, keepAwake);
    };
  }, [isOn]);

  return () => {
    lastActivity.current = Date.now();
  };
}

const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'scroll'] as const;

import { useEffect, useEffectEvent, useRef } from 'react';

const REST_AFTER_MS = 3 * 60_000;

/**
 * A camera that nobody shows a ticket to, or that lies in a pocket, must not film for the rest of the night: calls `onRest`
 * three minutes after the last touch, key or `stir()`. A hidden page sees none of these.
 */
export function useRest(isOn: boolean, onRest: () => void): () => void {
  const lastStir = useRef(0);
  const rest = useEffectEvent(onRest);

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout>;
    const stir = () => {
      lastStir.current = Date.now();
    };
    // One timer that looks again, since most touches come long before it ends.
    const wait = (ms: number) => {
      timer = setTimeout(() => {
        const left = lastStir.current + REST_AFTER_MS - Date.now();
        if (left > 0) wait(left);
        else rest();
      }, ms);
    };
    stir();
    wait(REST_AFTER_MS);
    for (const sign of SIGNS) document.addEventListener(sign, stir, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) document.removeEventListener(sign, stir);
    };
  }, [isOn]);

  return () => {
    lastStir.current = Date.now();
  };
}

const SIGNS = ['pointerdown', 'keydown', 'scroll'] as const;

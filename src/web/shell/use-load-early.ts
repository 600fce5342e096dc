/** Code that opens with a press, loaded once the page is used: a visit that only reads needs none of it. */
import { useEffect } from 'react';

/** Before a press come a move of the pointer, a touch or a key. */
const GESTURES = ['pointermove', 'pointerdown', 'keydown'] as const;

export function useLoadEarly(load: () => Promise<void>, isOn = true): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const stop = new AbortController();
    const start = () => {
      stop.abort();
      // What opens asks again, and shows what failed.
      load().catch(() => undefined);
    };
    for (const gesture of GESTURES) document.addEventListener(gesture, start, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, [load, isOn]);
}

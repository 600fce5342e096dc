import { onTestFinished, vi } from 'vitest';

export interface FrozenClock {
  advance(ms: number): void;
}

/** Freezes `performance.now` until the end of the test; `advance` moves it. Timers still run in real time. */
export function freezeMonotonicClock(): FrozenClock {
  let now = performance.now();
  const stopped = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => stopped.mockRestore());
  return {
    advance(ms) {
      now += ms;
    },
  };
}

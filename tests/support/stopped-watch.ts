import { onTestFinished, vi } from 'vitest';

export interface StoppedWatch {
  pass(ms: number): void;
}

/** Freezes `performance.now` until the end of the test; `advance` moves it. Timers still run in real time. */
export function stopWatch(): StoppedWatch {
  let now = performance.now();
  const stopped = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => stopped.mockRestore());
  return {
    pass(ms) {
      now += ms;
    },
  };
}

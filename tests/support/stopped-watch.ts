import { onTestFinished, vi } from 'vitest';

export interface StoppedWatch {
  pass(ms: number): void;
}

/**
 * Stops `performance.now` until the end of the test: what the product measures by it takes no time unless the test says so.
 * Timers still fire in real time.
 */
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

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INTERVAL_MS, openAttemptQueues } from './attempt-queues.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The result of each wait after `ms`; `undefined` for those still waiting. */
async function after(ms: number, waits: Promise<number | null>[]) {
  const results = new Map<number, number | null>();
  waits.forEach((wait, index) => void wait.then((result) => results.set(index, result)));
  await vi.advanceTimersByTimeAsync(ms);
  return waits.map((_, index) => results.get(index));
}

describe('queue of attempts beyond a limit', () => {
  it('admits one attempt per interval, and denies more when it is full', async () => {
    const queues = openAttemptQueues();
    const waits = [1, 2, 3, 4].map(() => queues.wait('one'));

    expect(await after(INTERVAL_MS - 1, waits)).toEqual([undefined, undefined, undefined, INTERVAL_MS / 1000]);
    expect(await after(1, waits)).toEqual([null, undefined, undefined, INTERVAL_MS / 1000]);
    expect(await after(2 * INTERVAL_MS, waits)).toEqual([null, null, null, INTERVAL_MS / 1000]);
  });

  it('reports whether it is full without joining', async () => {
    const queues = openAttemptQueues();
    const waits = [1, 2].map(() => queues.wait('one'));
    expect([queues.retryAfter('one'), queues.retryAfter('one')]).toEqual([null, null]);
    waits.push(queues.wait('one'));
    expect([queues.retryAfter('one'), queues.retryAfter('other')]).toEqual([INTERVAL_MS / 1000, null]);

    await after(INTERVAL_MS, waits);
    expect(queues.retryAfter('one')).toBe(null);
  });

  it('is independent of other queues', async () => {
    const queues = openAttemptQueues();
    await after(0, [queues.wait('crowd'), queues.wait('crowd'), queues.wait('crowd')]);

    expect(await after(INTERVAL_MS, [queues.wait('own')])).toEqual([null]);
  });

  it('exists until the limit resets', async () => {
    const queues = openAttemptQueues();
    expect(queues.isIdle()).toBe(true);

    queues.markExhausted('login:one', Date.now() + 1000);
    expect([queues.isExhausted('login:one'), queues.isExhausted('login:other'), queues.isIdle()]).toEqual([
      true,
      false,
      false,
    ]);

    vi.advanceTimersByTime(1000);
    expect(queues.isExhausted('login:one')).toBe(false);
    queues.sweep();
    expect(queues.isIdle()).toBe(true);
  });
});

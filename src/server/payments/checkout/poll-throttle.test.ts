import { describe, expect, it } from 'vitest';
import type { Db } from '#server/platform/database.ts';
import { pollThrottleOf } from './poll-throttle.ts';

/** Separate state for each test: the database is only its key. */
const newThrottle = () => pollThrottleOf({} as Db);
const at = (seconds: number) => new Date(Date.UTC(2026, 5, 12) + seconds * 1000);
const isOpen = () => Promise.resolve('open' as const);

describe('polling a payment page', () => {
  it('happens at most once every ten seconds per order', async () => {
    const throttle = newThrottle();

    expect(await throttle.once('o1', at(0), isOpen)).toBe('open');
    expect(await throttle.once('o1', at(9.999), isOpen)).toBeNull();
    expect(await throttle.once('o2', at(9.999), isOpen)).toBe('open');
    expect(await throttle.once('o1', at(10), isOpen)).toBe('open');
    expect(await throttle.once('o1', at(19.999), isOpen)).toBeNull();
  });

  it('is not repeated while a poll is pending', async () => {
    const throttle = newThrottle();
    const first = throttle.once('o1', at(0), isOpen);

    expect(await throttle.once('o1', at(1), isOpen)).toBeNull();
    expect(await first).toBe('open');
  });

  it('can be repeated at once after a failure', async () => {
    const throttle = newThrottle();
    const outage = new Error('no answer');

    await expect(throttle.once('o1', at(0), () => Promise.reject(outage))).rejects.toBe(outage);
    expect(await throttle.once('o1', at(0), isOpen)).toBe('open');
  });

  it('is remembered for the 10,000 most recent orders', async () => {
    const throttle = newThrottle();
    await throttle.once('again', at(0), isOpen);
    await throttle.once('oldest', at(1), isOpen);
    await throttle.once('again', at(10), isOpen);
    for (let order = 3; order <= 10_000; order++) await throttle.once(`o${order}`, at(10), isOpen);
    expect(await throttle.once('oldest', at(10), isOpen)).toBeNull();

    await throttle.once('one more', at(10), isOpen);

    expect(await throttle.once('again', at(10), isOpen)).toBeNull();
    expect(await throttle.once('oldest', at(10), isOpen)).toBe('open');
  });
});

import { describe, expect, it } from 'vitest';
import type { Db } from '#server/platform/database.ts';
import { pollThrottleOf } from './poll-throttle.ts';

/** Separate state for each test: the database is only its key. */
const newLooks = () => pollThrottleOf({} as Db);
const at = (seconds: number) => new Date(Date.UTC(2026, 5, 12) + seconds * 1000);
const isOpen = () => Promise.resolve('open' as const);

describe('looking at a payment page', () => {
  it('happens at most once in ten seconds for each order', async () => {
    const looks = newLooks();

    expect(await looks.once('o1', at(0), isOpen)).toBe('open');
    expect(await looks.once('o1', at(9.999), isOpen)).toBeNull();
    expect(await looks.once('o2', at(9.999), isOpen)).toBe('open');
    expect(await looks.once('o1', at(10), isOpen)).toBe('open');
    expect(await looks.once('o1', at(19.999), isOpen)).toBeNull();
  });

  it('is not repeated while an answer is pending', async () => {
    const looks = newLooks();
    const first = looks.once('o1', at(0), isOpen);

    expect(await looks.once('o1', at(1), isOpen)).toBeNull();
    expect(await first).toBe('open');
  });

  it('may be repeated at once after a failure', async () => {
    const looks = newLooks();
    const outage = new Error('no answer');

    await expect(looks.once('o1', at(0), () => Promise.reject(outage))).rejects.toBe(outage);
    expect(await looks.once('o1', at(0), isOpen)).toBe('open');
  });

  it('is remembered for the 10,000 most recent orders', async () => {
    const looks = newLooks();
    await looks.once('again', at(0), isOpen);
    await looks.once('oldest', at(1), isOpen);
    await looks.once('again', at(10), isOpen);
    for (let order = 3; order <= 10_000; order++) await looks.once(`o${order}`, at(10), isOpen);
    expect(await looks.once('oldest', at(10), isOpen)).toBeNull();

    await looks.once('one more', at(10), isOpen);

    expect(await looks.once('again', at(10), isOpen)).toBeNull();
    expect(await looks.once('oldest', at(10), isOpen)).toBe('open');
  });
});

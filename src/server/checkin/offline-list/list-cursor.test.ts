import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, firstNewTransaction } from './list-cursor.ts';

const HALF = 2n ** 31n;
const now = { upTo: 3n * HALF + 7n, readAt: 1_800_000_000_000 };

describe('a cursor', () => {
  it('decodes to its values, and stays within the length limit of the request', () => {
    const last = { upTo: 2n ** 63n - 1n, readAt: 2_800_000_000_000 };

    expect(decodeCursor(encodeCursor(now))).toEqual(now);
    expect(decodeCursor(encodeCursor(last))).toEqual(last);
    expect(encodeCursor(last).length).toBeLessThanOrEqual(30);
  });

  it.each([
    ['the current cursor', now, 2 ** 31 + 7],
    ['the oldest comparable cursor', { ...now, upTo: 2n * HALF + 8n }, 8],
    ['a cursor that is too old to compare', { ...now, upTo: 2n * HALF + 7n }, null],
    ['a cursor with a future transaction', { ...now, upTo: now.upTo + 1n }, null],
    ['a cursor read later, by another process', { ...now, readAt: now.readAt + 1 }, null],
  ])('finds the first new transaction for %s', (_what, previous, expected) => {
    expect(firstNewTransaction(now, previous)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { newSince, readMark, writeMark } from './list-mark.ts';

const HALF = 2n ** 31n;
const now = { upTo: 3n * HALF + 7n, readAt: 1_800_000_000_000 };

describe('a mark', () => {
  it('comes back as it was given, and is short enough for the call also after a long life', () => {
    const last = { upTo: 2n ** 63n - 1n, readAt: 2_800_000_000_000 };

    expect(readMark(writeMark(now))).toEqual(now);
    expect(readMark(writeMark(last))).toEqual(last);
    expect(writeMark(last).length).toBeLessThanOrEqual(30);
  });

  it.each([
    ['at once', now, 2 ** 31 + 7],
    ['of the last moment within half a circle', { ...now, upTo: 2n * HALF + 8n }, 8],
    ['of half a circle ago', { ...now, upTo: 2n * HALF + 7n }, null],
    ['of a transaction that is still to come', { ...now, upTo: now.upTo + 1n }, null],
    ['that was read later, by another process', { ...now, readAt: now.readAt + 1 }, null],
  ])('%s tells what is new', (_what, had, expected) => {
    expect(newSince(now, had)).toBe(expected);
  });
});

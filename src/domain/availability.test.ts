import { describe, expect, it } from 'vitest';
import { isSoldOut, leftAtMost, shownAvailability } from './availability.ts';

describe('what is left of a ticket type', () => {
  it.each([
    [0, undefined, true],
    [1, undefined, false],
    [3, 4, true],
    [4, 4, false],
    [19, 20, true],
    // It shows 20, and may be 29.
    [29, 25, false],
    [38, 35, false],
  ])('is %i with a minimum of %s: sold out is %s', (left, minPerOrder, expected) => {
    expect(isSoldOut(leftAtMost(shownAvailability(left)), { minPerOrder })).toBe(expected);
    expect(isSoldOut(left, { minPerOrder })).toBe(expected);
  });
});

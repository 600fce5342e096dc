import { describe, expect, it } from 'vitest';
import { isSoldOut } from '#domain/order.ts';
import { leftAtMost, shownAvailability } from './availability.ts';

describe('what is left of a ticket type', () => {
  it.each([1, 19, 20, 21, 29, 30, 99, 100, 101, 199, 482, 999, 1000, 48_215])(
    'is at least shown, and at most known: %i',
    (left) => {
      const shown = shownAvailability(left);
      expect(left).toBeGreaterThanOrEqual(shown);
      expect(left).toBeLessThanOrEqual(leftAtMost(shown));
      expect(shownAvailability(leftAtMost(shown))).toBe(shown);
      expect(shownAvailability(leftAtMost(shown) + 1)).toBeGreaterThan(shown);
    },
  );

  it.each([
    [0, undefined, true],
    [1, undefined, false],
    [3, 4, true],
    [4, 4, false],
    [19, 20, true],
    [29, 25, false],
    [29, 30, true],
    [38, 35, false],
  ])('is %i with a minimum of %s: sold out is %s', (left, minPerOrder, expected) => {
    expect(isSoldOut(leftAtMost(shownAvailability(left)), { minPerOrder })).toBe(expected);
    expect(isSoldOut(left, { minPerOrder })).toBe(expected);
  });

  it('may be for sale where only a rounded number is known', () => {
    expect([isSoldOut(24, { minPerOrder: 25 }), isSoldOut(leftAtMost(20), { minPerOrder: 25 })]).toEqual([true, false]);
  });
});

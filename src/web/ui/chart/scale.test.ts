import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaleTop } from './scale.ts';

describe('the top of a scale', () => {
  it.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 4],
    [7, 8],
    [11, 12],
    [17, 20],
    [38, 40],
    [41, 50],
    [99, 100],
    [100, 100],
    [110, 120],
    [101, 120],
    [201, 240],
    [5000, 5000],
  ])('of %i is %i', (most, top) => {
    expect(scaleTop(most)).toBe(top);
  });

  it('has a whole half, and is not twice as high as the highest value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 200_000 }), (most) => {
        const top = scaleTop(most);
        expect(top).toSatisfy((one: number) => one >= most && one < 2 * most && Number.isInteger(one / 2));
      }),
    );
  });
});

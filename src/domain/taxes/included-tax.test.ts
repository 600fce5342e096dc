import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TAX_RATE_MAX, taxOf, taxShare } from './included-tax.ts';

describe('the tax in a price', () => {
  it.each([
    [24_00, 8_875, 1_96],
    [24_00, 0, 0],
    [0, 8_875, 0],
    [1, 8_875, 0],
    [1_19, 19_000, 19],
    // Exactly half a cent.
    [3, 20_000, 1],
    [1_000_000, TAX_RATE_MAX, 230_769],
  ])('of %i cents at %i thousandths of a percent is %i cents [TAX-1]', (price, rate, share) => {
    expect(taxShare(price, rate)).toBe(share);
  });

  it('is the price times the rate over the whole, to the half cent [TAX-1]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: TAX_RATE_MAX }), (price, rate) => {
        const exact = (price * rate) / (100_000 + rate);
        expect(Math.abs(taxShare(price, rate) - exact)).toBeLessThanOrEqual(0.5 + 1e-9);
      }),
    );
  });

  it('adds up over the tickets of an order [TAX-1]', () => {
    const lines = [
      { quantity: 3, unitPriceCents: 24_00 },
      { quantity: 1, unitPriceCents: 38_50 },
    ];

    expect(taxOf(lines, { rate: 8_875 })).toBe(3 * 1_96 + 3_14);
  });
});

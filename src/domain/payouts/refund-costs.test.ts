import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refundCostsCents } from './refund-costs.ts';

const payment = { payments: 1, feeCents: 3_78, refundedCents: 40_00, chargedCents: 120_00 };

describe('the costs of refunds', () => {
  it.each([
    [1_26, payment],
    [2_52, { ...payment, payments: 2 }],
    // 1.5 cents
    [2, { ...payment, feeCents: 3, refundedCents: 60_00 }],
    [0, { ...payment, refundedCents: 0 }],
    [0, { ...payment, chargedCents: 0, refundedCents: 0 }],
    [0, { ...payment, feeCents: 0 }],
  ])('are %i cents of the fee, half a cent up [POLICY-8]', (cents, payments) => {
    expect(refundCostsCents([payments])).toBe(cents);
  });

  it('are the whole fee of a refunded payment, and never more [POLICY-8]', () => {
    const cents = fc.integer({ min: 1, max: 999_999_99 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 30_000_00 }), fc.nat(), (chargedCents, feeCents, some) => {
        const costs = (refundedCents: number) =>
          refundCostsCents([{ payments: 1, feeCents, refundedCents, chargedCents }]);
        expect(costs(chargedCents)).toBe(feeCents);
        expect(costs(some % chargedCents)).toBeLessThanOrEqual(feeCents);
      }),
    );
  });
});

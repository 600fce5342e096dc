import { describe, expect, it } from 'vitest';
import { STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import { reversalShares } from './reversal.ts';

describe('a payout reversal', () => {
  /** Two tickets at $24, each with a fee of $1.23. */
  const paid = { pricesCents: [24_00, 24_00], takenCents: 0, rate: STANDARD_TICKET_FEE };

  it.each([
    ['returns the fees when the full price is reversed', 48_00, paid, { grossCents: 48_00, feesCents: 2_46 }],
    ['returns no fees when a part is reversed', 47_99, paid, { grossCents: 47_99, feesCents: 0 }],
    ['is capped at the price of the tickets', 60_00, paid, { grossCents: 48_00, feesCents: 2_46 }],
    ['returns the fees with the rest', 30_00, { ...paid, takenCents: 24_00 }, { grossCents: 24_00, feesCents: 2_46 }],
    ['caps the fees at the rest', 1_00, { ...paid, takenCents: 47_00 }, { grossCents: 1_00, feesCents: 1_00 }],
    ['takes the last cent', 1, { ...paid, takenCents: 47_99 }, { grossCents: 1, feesCents: 1 }],
    ['is empty if everything was reversed', 48_00, { ...paid, takenCents: 48_00 }, null],
    ['is empty if more than everything was reversed', 48_00, { ...paid, takenCents: 50_00 }, null],
    ['is empty if nothing was lost', 0, paid, null],
    ['is empty without tickets', 48_00, { ...paid, pricesCents: [] }, null],
  ])('%s', (_case, lostCents, share, shares) => {
    expect(reversalShares(lostCents, share)).toEqual(shares);
  });
});

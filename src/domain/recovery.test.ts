import { describe, expect, it } from 'vitest';
import { STANDARD_TICKET_FEE } from './fees.ts';
import { reversalShares } from './recovery.ts';

describe('what an organizer gives back of a payout', () => {
  /** Two tickets at $24, each with a fee of $1.23. */
  const paid = { pricesCents: [24_00, 24_00], takenCents: 0, rate: STANDARD_TICKET_FEE };

  it.each([
    ['all of it, with the fees', 48_00, paid, { grossCents: 48_00, feesCents: 2_46 }],
    ['a part, without fees', 47_99, paid, { grossCents: 47_99, feesCents: 0 }],
    ['at most what the tickets brought', 60_00, paid, { grossCents: 48_00, feesCents: 2_46 }],
    ['the rest, with the fees', 30_00, { ...paid, takenCents: 24_00 }, { grossCents: 24_00, feesCents: 2_46 }],
    ['no more in fees than the rest', 1_00, { ...paid, takenCents: 47_00 }, { grossCents: 1_00, feesCents: 1_00 }],
    ['a last cent', 1, { ...paid, takenCents: 47_99 }, { grossCents: 1, feesCents: 1 }],
    ['nothing if all was taken back already', 48_00, { ...paid, takenCents: 48_00 }, null],
    ['nothing if more was taken back already', 48_00, { ...paid, takenCents: 50_00 }, null],
    ['nothing if nothing is gone', 0, paid, null],
    ['nothing of no tickets', 48_00, { ...paid, pricesCents: [] }, null],
  ])('%s', (_case, goneCents, of, shares) => {
    expect(reversalShares(goneCents, of)).toEqual(shares);
  });
});

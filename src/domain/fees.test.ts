import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGE_EVENT_TICKET_FEE, STANDARD_TERMS, STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import { ticketFeeCents as feeOf, formatTicketFee, ticketFeeRate as rateOf, ticketFeesAt } from './fees.ts';

const ticketFeeCents = (priceCents: number, paidTickets: number) => feeOf(priceCents, paidTickets, STANDARD_TERMS);
const ticketFeeRate = (paidTickets: number) => rateOf(paidTickets, STANDARD_TERMS);

describe('the ticket fee', () => {
  it.each([
    { priceCents: 0, sold: 1, fee: 0, because: 'free tickets have no fee' },
    { priceCents: 0, sold: 500, fee: 0, because: 'free tickets have no fee at a large event either' },
    { priceCents: 50, sold: 1, fee: 76, because: '1 + 75' },
    { priceCents: 25, sold: 1, fee: 76, because: 'half a cent rounds up' },
    { priceCents: 24, sold: 1, fee: 75, because: 'less than half a cent rounds down' },
    { priceCents: 24_00, sold: 1, fee: 1_23, because: '48 + 75' },
    { priceCents: 24_00, sold: 499, fee: 1_23, because: '499 is below the threshold' },
    { priceCents: 24_00, sold: 500, fee: 93, because: '43.2 + 50' },
    { priceCents: 25_25, sold: 500, fee: 95, because: '45.45 rounds to 45' },
    { priceCents: 50_000_00, sold: 1, fee: 1_000_75, because: 'the highest price' },
  ])('of $priceCents cents with $sold sold is $fee: $because', ({ priceCents, sold, fee }) => {
    expect(ticketFeeCents(priceCents, sold)).toBe(fee);
  });

  it('applies the lower rate to all tickets once 500 paid ones are sold', () => {
    expect(ticketFeesAt(ticketFeeRate(499), new Array<number>(499).fill(10_00))).toBe(499 * 95);
    expect(ticketFeesAt(ticketFeeRate(500), new Array<number>(500).fill(10_00))).toBe(500 * 68);
  });

  it('totals the fees shown for each ticket', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50_000_00 }), { maxLength: 600 }), (prices) => {
        const each = prices.map((price) => ticketFeeCents(price, prices.length));
        expect(ticketFeesAt(ticketFeeRate(prices.length), prices)).toBe(each.reduce((sum, fee) => sum + fee, 0));
        expect(each.every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it('is formatted as a percentage plus a flat amount', () => {
    expect(formatTicketFee(STANDARD_TICKET_FEE)).toBe('2.0% + $0.75');
    expect(formatTicketFee(LARGE_EVENT_TICKET_FEE)).toBe('1.8% + $0.50');
    expect(formatTicketFee({ basisPoints: 225, flatCents: 5 })).toBe('2.25% + $0.05');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGE_EVENT_TICKET_FEE, STANDARD_TERMS, STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import {
  ticketFeeCents as feeOf,
  formatTicketFee,
  priceToReceive,
  ticketFeeRate as rateOf,
  receivedOf,
  ticketFeesAt,
} from './fees.ts';
import { TICKET_PRICE_MAX_CENTS, TICKET_PRICE_MIN_CENTS } from './limits.ts';
import { payoutStatementOfSales } from './payout-statement.ts';

const ticketFeeCents = (priceCents: number, paidTickets: number) => feeOf(priceCents, paidTickets, STANDARD_TERMS);
/** Of any plan that an operator may set up, short of taking nearly everything. */
const anyTerms = fc
  .record({ basisPoints: fc.integer({ min: 0, max: 9000 }), flatCents: fc.integer({ min: 0, max: 10_00 }) })
  .map((standard) => ({ ...STANDARD_TERMS, standard }));
const ticketFeeRate = (paidTickets: number) => rateOf(paidTickets, STANDARD_TERMS);

describe('the ticket fee', () => {
  it.each([
    { priceCents: 0, sold: 1, fee: 0, because: 'free tickets have no fee' },
    { priceCents: 0, sold: 500, fee: 0, because: 'free tickets have no fee at a large event either' },
    { priceCents: 50, sold: 1, fee: 50, because: 'it is never more than the price' },
    { priceCents: 76, sold: 1, fee: 76, because: 'it is never more than the price' },
    { priceCents: 77, sold: 1, fee: 77, because: '2 + 75' },
    { priceCents: 50, sold: 500, fee: 50, because: 'it is never more than the price of a large event either' },
    { priceCents: 1_25, sold: 1, fee: 78, because: 'half a cent rounds up' },
    { priceCents: 1_24, sold: 1, fee: 77, because: 'less than half a cent rounds down' },
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

  it('is never more than the price, at any price and rate [PRICE-3]', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50_000_00 }),
        fc.constantFrom(1, 499, 500),
        anyTerms,
        (price, sold, terms) => {
          expect(feeOf(price, sold, terms)).toBeLessThanOrEqual(price);
        },
      ),
    );
  });

  it('is formatted as a percentage plus a flat amount', () => {
    expect(formatTicketFee(STANDARD_TICKET_FEE)).toBe('2.0% + $0.75');
    expect(formatTicketFee(LARGE_EVENT_TICKET_FEE)).toBe('1.8% + $0.50');
    expect(formatTicketFee({ basisPoints: 225, flatCents: 5 })).toBe('2.25% + $0.05');
  });
});

describe('what an organizer receives', () => {
  it.each([50, 76, 77, 1_00, 15_99, 19_99])(
    'of %i cents is what the payout pays, at both fees [PRICE-4]',
    (priceCents) => {
      const { standard, large } = receivedOf(priceCents, STANDARD_TERMS);
      const paid = (tickets: number) => {
        const { grossCents, ticketFeesCents } = payoutStatementOfSales([{ priceCents, tickets }], true, {
          terms: STANDARD_TERMS,
        });
        return grossCents - ticketFeesCents;
      };

      expect([standard, large * 500]).toEqual([paid(1), paid(500)]);
    },
  );

  it('leads to the lowest price that yields it [PRICE-4]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_000_00 }), anyTerms, (wanted, terms) => {
        const price = priceToReceive(wanted, terms);
        const received = (priceCents: number) => receivedOf(priceCents, terms).standard;
        expect(received(price)).toBeGreaterThanOrEqual(wanted);
        expect(price === TICKET_PRICE_MIN_CENTS || received(price - 1) < wanted).toBe(true);
      }),
    );
    expect(priceToReceive(60_000_00, STANDARD_TERMS)).toBe(TICKET_PRICE_MAX_CENTS);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGE_EVENT_TICKET_FEE, STANDARD_TERMS, STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import { ticketFeesAt } from './fees.ts';
import {
  additionalPayoutStatement,
  type PayoutInput,
  payoutStatementOfSales,
  payoutStatement as statementOf,
} from './payout-statement.ts';

const terms = STANDARD_TERMS;
const payoutStatement = (pricesCents: number[], isWaived: boolean, input: Partial<PayoutInput> = {}) =>
  statementOf(pricesCents, isWaived, { terms, ...input });

const of = (tickets: number, priceCents: number) => new Array<number>(tickets).fill(priceCents);

describe('a payout statement', () => {
  it.each([
    { tickets: 499, rate: STANDARD_TICKET_FEE, fee: 95 },
    { tickets: 500, rate: LARGE_EVENT_TICKET_FEE, fee: 68 },
    { tickets: 501, rate: LARGE_EVENT_TICKET_FEE, fee: 68 },
  ])('bills all of $tickets tickets at $10 at one rate', ({ tickets, rate, fee }) => {
    const statement = payoutStatement(of(tickets, 10_00), false);
    expect(statement).toMatchObject({ paidTickets: tickets, rate, ticketFeesCents: tickets * fee });
    expect(statement.netCents).toBe(tickets * (10_00 - fee) - 15_00);
  });

  it.each([
    { paid: 499, free: 2, rate: STANDARD_TICKET_FEE },
    { paid: 5, free: 500, rate: STANDARD_TICKET_FEE },
    { paid: 500, free: 1, rate: LARGE_EVENT_TICKET_FEE },
  ])('counts only paid tickets toward the rate: $paid paid, $free free', ({ paid, free, rate }) => {
    const statement = payoutStatement([...of(paid, 20_00), ...of(free, 0)], false);
    expect(statement).toMatchObject({
      paidTickets: paid,
      freeTickets: free,
      rate,
      ticketFeesCents: ticketFeesAt(rate, of(paid, 20_00)),
    });
  });

  it('nets $80.73 for 3 tickets at $33.33', () => {
    expect(payoutStatement(of(3, 33_33), false)).toEqual({
      paidTickets: 3,
      freeTickets: 0,
      ticketsOnHold: 0,
      grossCents: 99_99,
      rate: STANDARD_TICKET_FEE,
      ticketFeesCents: 4_26,
      processingFeeCents: 15_00,
      onHoldCents: 0,
      deductedCents: 0,
      debtDeductedCents: 0,
      netCents: 80_73,
    });
  });

  it('nets below zero for 10 tickets at $1, with or without a debt', () => {
    expect(payoutStatement(of(10, 1_00), false)).toMatchObject({ netCents: -12_70 });
    expect(payoutStatement(of(10, 1_00), false, { debtCents: 50_00 })).toMatchObject({
      debtDeductedCents: 0,
      netCents: -12_70,
    });
  });

  it('is the same for single tickets and for tickets grouped by price', () => {
    const sale = fc.record({ priceCents: fc.constantFrom(0, 50, 9_99, 33_33), tickets: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(sale, { maxLength: 4 }), fc.boolean(), (sales, isWaived) => {
        const oneByOne = sales.flatMap(({ tickets, priceCents }) => of(tickets, priceCents));
        expect(payoutStatementOfSales(sales, isWaived, { terms })).toEqual(payoutStatement(oneByOne, isWaived));
      }),
    );
  });

  it('has no processing fee until a paid ticket is sold', () => {
    const nothing = { ticketFeesCents: 0, processingFeeCents: 0, netCents: 0 };
    expect(payoutStatement([], false)).toMatchObject(nothing);
    expect(payoutStatement(of(3, 0), false)).toMatchObject({ freeTickets: 3, ...nothing });
    expect(payoutStatement([...of(3, 0), 20_00], false)).toMatchObject({ processingFeeCents: 15_00, netCents: 3_85 });
  });

  it('waives only the processing fee', () => {
    expect(payoutStatement(of(3, 33_33), true)).toMatchObject({ ticketFeesCents: 4_26, netCents: 95_73 });
  });

  it('excludes tickets on hold from the count and the gross: 500 with one on hold are 499', () => {
    const onHold = [{ priceCents: 10_00, tickets: 1 }];
    expect(payoutStatement(of(499, 10_00), false, { onHold })).toMatchObject({
      paidTickets: 499,
      grossCents: 4990_00,
      rate: STANDARD_TICKET_FEE,
      ticketsOnHold: 1,
      onHoldCents: 10_00,
    });
  });

  it('applies at most the amount due to a debt', () => {
    const due = 80_73 - 10_00;
    const input = { deductedCents: 10_00 };
    expect(payoutStatement(of(3, 33_33), false, { ...input, debtCents: 20_00 })).toMatchObject({
      debtDeductedCents: 20_00,
      netCents: due - 20_00,
    });
    expect(payoutStatement(of(3, 33_33), false, { ...input, debtCents: 999_00 })).toMatchObject({
      debtDeductedCents: due,
      netCents: 0,
    });
  });
});

describe('the statement of an additional payout', () => {
  const nothing = { pricesCents: [], deductedCents: 0, reversedCents: 0, reversedFeesCents: 0 };

  it('bills tickets at the first payout’s rate, without a processing fee', () => {
    expect(
      additionalPayoutStatement({ ...nothing, pricesCents: of(2, 40_00) }, LARGE_EVENT_TICKET_FEE, 0),
    ).toMatchObject({
      paidTickets: 2,
      ticketFeesCents: 2 * 122,
      processingFeeCents: 0,
      netCents: 80_00 - 2_44,
    });
  });

  it('ignores free tickets', () => {
    expect(additionalPayoutStatement({ ...nothing, pricesCents: [40_00, 0] }, STANDARD_TICKET_FEE, 0)).toMatchObject({
      paidTickets: 1,
      freeTickets: 0,
      netCents: 40_00 - 1_55,
    });
  });

  it('pays back a reversal with its fees', () => {
    const recovered = { ...nothing, reversedCents: 80_00, reversedFeesCents: 3_10 };
    expect(additionalPayoutStatement(recovered, STANDARD_TICKET_FEE, 0)).toMatchObject({
      paidTickets: 0,
      netCents: 76_90,
    });
    expect(additionalPayoutStatement(recovered, STANDARD_TICKET_FEE, 76_90)).toMatchObject({ netCents: 0 });
  });

  it('caps the fees at the price of a ticket that costs less than its fee', () => {
    expect(additionalPayoutStatement({ ...nothing, pricesCents: [50] }, STANDARD_TICKET_FEE, 0)).toMatchObject({
      ticketFeesCents: 50,
      netCents: 0,
    });
    const deducted = { ...nothing, pricesCents: [50], deductedCents: 20 };
    expect(additionalPayoutStatement(deducted, STANDARD_TICKET_FEE, 0)).toMatchObject({
      ticketFeesCents: 30,
      netCents: 0,
    });
  });
});

it('the lines of a statement add up to its net', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 600 }), fc.boolean(), cents, cents, (prices, isWaived, deducted, debt) => {
      const statement = payoutStatement(prices, isWaived, { deductedCents: deducted, debtCents: debt });
      const { grossCents, ticketFeesCents, processingFeeCents, deductedCents, debtDeductedCents, netCents } = statement;
      expect(netCents).toBe(grossCents - ticketFeesCents - processingFeeCents - deductedCents - debtDeductedCents);
      expect(debtDeductedCents).toBeLessThanOrEqual(debt);
      if (debtDeductedCents > 0) expect(netCents).toBeGreaterThanOrEqual(0);
    }),
  );
});

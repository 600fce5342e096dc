import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGE_EVENT_TICKET_FEE, STANDARD_TICKET_FEE, ticketFeesAt } from './fees.ts';
import { additionalPayoutStatement, payoutStatement, payoutStatementOfSales } from './payout-statement.ts';

const of = (tickets: number, priceCents: number) => new Array<number>(tickets).fill(priceCents);

describe('a payout statement', () => {
  it.each([
    { tickets: 499, rate: STANDARD_TICKET_FEE, fee: 95 },
    { tickets: 500, rate: LARGE_EVENT_TICKET_FEE, fee: 68 },
    { tickets: 501, rate: LARGE_EVENT_TICKET_FEE, fee: 68 },
  ])('of $tickets tickets at $10 bills all of them at one rate', ({ tickets, rate, fee }) => {
    const statement = payoutStatement(of(tickets, 10_00), false);
    expect(statement).toMatchObject({ paidTickets: tickets, rate, ticketFeesCents: tickets * fee });
    expect(statement.netCents).toBe(tickets * (10_00 - fee) - 15_00);
  });

  it.each([
    { paid: 499, free: 2, rate: STANDARD_TICKET_FEE },
    { paid: 5, free: 500, rate: STANDARD_TICKET_FEE },
    { paid: 500, free: 1, rate: LARGE_EVENT_TICKET_FEE },
  ])('of $paid paid and $free free tickets counts the paid ones toward the tier', ({ paid, free, rate }) => {
    const statement = payoutStatement([...of(paid, 20_00), ...of(free, 0)], false);
    expect(statement).toMatchObject({
      paidTickets: paid,
      freeTickets: free,
      rate,
      ticketFeesCents: ticketFeesAt(rate, of(paid, 20_00)),
    });
  });

  it('of 3 tickets at $33.33 comes to $80.73', () => {
    expect(payoutStatement(of(3, 33_33), false)).toEqual({
      paidTickets: 3,
      freeTickets: 0,
      withheldTickets: 0,
      grossCents: 99_99,
      rate: STANDARD_TICKET_FEE,
      ticketFeesCents: 4_26,
      processingFeeCents: 15_00,
      withheldCents: 0,
      deductedCents: 0,
      keptForDebtCents: 0,
      netCents: 80_73,
    });
  });

  it('of 10 tickets at $1 is below zero, also where a debt waits', () => {
    expect(payoutStatement(of(10, 1_00), false)).toMatchObject({ netCents: -12_70 });
    expect(payoutStatement(of(10, 1_00), false, { debtCents: 50_00 })).toMatchObject({
      keptForDebtCents: 0,
      netCents: -12_70,
    });
  });

  it('is the same for tickets one by one and for so many at each price', () => {
    const sale = fc.record({ priceCents: fc.constantFrom(0, 50, 9_99, 33_33), tickets: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(sale, { maxLength: 4 }), fc.boolean(), (sales, isWaived) => {
        const oneByOne = sales.flatMap(({ tickets, priceCents }) => of(tickets, priceCents));
        expect(payoutStatementOfSales(sales, isWaived)).toEqual(payoutStatement(oneByOne, isWaived));
      }),
    );
  });

  it('bears no processing fee while no paid ticket is sold', () => {
    const nothing = { ticketFeesCents: 0, processingFeeCents: 0, netCents: 0 };
    expect(payoutStatement([], false)).toMatchObject(nothing);
    expect(payoutStatement(of(3, 0), false)).toMatchObject({ freeTickets: 3, ...nothing });
    expect(payoutStatement([...of(3, 0), 20_00], false)).toMatchObject({ processingFeeCents: 15_00, netCents: 3_85 });
  });

  it('waives the processing fee and nothing else', () => {
    expect(payoutStatement(of(3, 33_33), true)).toMatchObject({ ticketFeesCents: 4_26, netCents: 95_73 });
  });

  it('counts withheld tickets neither in number nor in gross, so that 500 with one withheld are 499', () => {
    const withheld = [{ priceCents: 10_00, tickets: 1 }];
    expect(payoutStatement(of(499, 10_00), false, { withheld })).toMatchObject({
      paidTickets: 499,
      grossCents: 4990_00,
      rate: STANDARD_TICKET_FEE,
      withheldTickets: 1,
      withheldCents: 10_00,
    });
  });

  it('keeps of a debt at most what is due', () => {
    const due = 80_73 - 10_00;
    const facts = { deductedCents: 10_00 };
    expect(payoutStatement(of(3, 33_33), false, { ...facts, debtCents: 20_00 })).toMatchObject({
      keptForDebtCents: 20_00,
      netCents: due - 20_00,
    });
    expect(payoutStatement(of(3, 33_33), false, { ...facts, debtCents: 999_00 })).toMatchObject({
      keptForDebtCents: due,
      netCents: 0,
    });
  });
});

describe('the statement of a further payout', () => {
  const nothing = { pricesCents: [], deductedCents: 0, recoveredCents: 0, recoveredFeesCents: 0 };

  it('bills tickets at the first one’s rate, without a processing fee', () => {
    expect(
      additionalPayoutStatement({ ...nothing, pricesCents: of(2, 40_00) }, LARGE_EVENT_TICKET_FEE, 0),
    ).toMatchObject({
      paidTickets: 2,
      ticketFeesCents: 2 * 122,
      processingFeeCents: 0,
      netCents: 80_00 - 2_44,
    });
  });

  it('counts no free ticket', () => {
    expect(additionalPayoutStatement({ ...nothing, pricesCents: [40_00, 0] }, STANDARD_TICKET_FEE, 0)).toMatchObject({
      paidTickets: 1,
      freeTickets: 0,
      netCents: 40_00 - 1_55,
    });
  });

  it('returns what was recovered, fees and all', () => {
    const recovered = { ...nothing, recoveredCents: 80_00, recoveredFeesCents: 3_10 };
    expect(additionalPayoutStatement(recovered, STANDARD_TICKET_FEE, 0)).toMatchObject({
      paidTickets: 0,
      netCents: 76_90,
    });
    expect(additionalPayoutStatement(recovered, STANDARD_TICKET_FEE, 76_90)).toMatchObject({ netCents: 0 });
  });

  it('never owes: a ticket that costs less than its fee brings nothing', () => {
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

it('every line adds up to the net', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 600 }), fc.boolean(), cents, cents, (prices, isWaived, deducted, debt) => {
      const one = payoutStatement(prices, isWaived, { deductedCents: deducted, debtCents: debt });
      const taken = one.ticketFeesCents + one.processingFeeCents + one.deductedCents + one.keptForDebtCents;
      expect(one.netCents).toBe(one.grossCents - taken);
      expect(one.keptForDebtCents).toBeLessThanOrEqual(debt);
      if (one.keptForDebtCents > 0) expect(one.netCents).toBeGreaterThanOrEqual(0);
    }),
  );
});

import { describe, expect, it } from 'vitest';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';
import { agreesWithLedger, type EventSums, statementOfEvent } from './statement-sums.ts';

const event = { id: 'e1', processingFeeWaived: false, feeTerms: STANDARD_TERMS };
const nothing: EventSums = { sold: [], refunded: [], discounts: [], deducted: [], refundedPayments: [], debtCents: 0 };
const sale = { eventId: 'e1', priceCents: 33_33, tickets: 3, isDisputed: false };

describe('the payout statement of an event', () => {
  it('is zero without sales', () => {
    expect(statementOfEvent(event, nothing)).toMatchObject({ grossCents: 0, refundedCents: 0, netCents: 0 });
  });

  it('counts only the sales of its own event', () => {
    const others = { eventId: 'e2', cents: 5_00, isDisputed: false };
    const statement = statementOfEvent(event, {
      sold: [sale, { ...sale, eventId: 'e2' }, { ...sale, eventId: 'e2', isDisputed: true }],
      refunded: [others, { eventId: 'e1', cents: 66_66 }],
      discounts: [others, { eventId: 'e1', cents: 7_00 }],
      deducted: [others],
      refundedPayments: [{ eventId: 'e2', payments: 1, feeCents: 30, refundedCents: 5_00, chargedCents: 5_00 }],
      debtCents: 0,
    });

    expect(statement).toMatchObject({ paidTickets: 3, ticketsOnHold: 0, deductedCents: 0, netCents: 80_73 });
    expect(statement).not.toHaveProperty('refundCostsCents');
    expect(statement).toMatchObject({ refundedCents: 66_66, discountsCents: 7_00 });
  });

  it('leaves out disputed tickets and their deductions', () => {
    const statement = statementOfEvent(event, {
      ...nothing,
      sold: [sale, { ...sale, tickets: 2, isDisputed: true }],
      deducted: [
        { eventId: 'e1', cents: 10_00, isDisputed: false },
        { eventId: 'e1', cents: 1_00, isDisputed: false },
        { eventId: 'e1', cents: 7_00, isDisputed: true },
      ],
    });

    expect(statement).toMatchObject({ paidTickets: 3, ticketsOnHold: 2, onHoldCents: 66_66, deductedCents: 11_00 });
    expect(statement.netCents).toBe(80_73 - 11_00);
  });

  it('omits a waived processing fee and deducts the organizer’s debt', () => {
    const sums = { ...nothing, sold: [sale], debtCents: 20_00 };
    expect(statementOfEvent({ ...event, processingFeeWaived: true }, sums)).toMatchObject({
      processingFeeCents: 0,
      debtDeductedCents: 20_00,
      netCents: 75_73,
    });
  });
});

describe('the ledger', () => {
  // $100 sold, of which $30 is disputed. Refunded: $20. Deducted: $5 from undisputed and $3 from disputed orders.
  const statement = statementOfEvent(event, {
    sold: [
      { ...sale, priceCents: 70_00, tickets: 1 },
      { ...sale, priceCents: 30_00, tickets: 1, isDisputed: true },
    ],
    refunded: [{ eventId: 'e1', cents: 20_00 }],
    discounts: [],
    refundedPayments: [],
    deducted: [{ eventId: 'e1', cents: 5_00, isDisputed: false }],
    debtCents: 0,
  });
  const deducted = [
    { isDisputed: false, cents: 5_00 },
    { isDisputed: true, cents: 3_00 },
  ];

  it.each([
    ['agrees with the tickets', 92_00, 28_00, true],
    ['owes a cent too little', 91_99, 28_00, false],
    ['owes a cent too much', 92_01, 28_00, false],
    ['has a cent too little refunded', 92_00, 27_99, false],
    ['has a cent too much refunded', 92_00, 28_01, false],
  ])('%s', (_case, payableCents, goneCents, agrees) => {
    expect(agreesWithLedger(statement, { payableCents, goneCents }, deducted)).toBe(agrees);
  });
});

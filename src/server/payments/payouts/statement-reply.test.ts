import { expect, it } from 'vitest';
import { STANDARD_TICKET_FEE } from '#tests/support/standard-terms.ts';
import { statementReply } from './statement-reply.ts';

it('converts a statement to dollars and counts disputed tickets as sold', () => {
  const reply = statementReply({
    paidTickets: 3,
    freeTickets: 20,
    ticketsOnHold: 100,
    grossCents: 99_99,
    rate: STANDARD_TICKET_FEE,
    ticketFeesCents: 4_26,
    processingFeeCents: 15_00,
    onHoldCents: 30_50,
    deductedCents: 2_25,
    refundCostsCents: 46,
    debtDeductedCents: 1_75,
    netCents: 76_73,
    refundedCents: 10_05,
  });

  expect(reply).toEqual({
    ticketsSold: 123,
    gross: 130.49,
    ticketsOnHold: 100,
    onHold: 30.5,
    paidTickets: 3,
    ticketFeeRate: '2.0% + $0.75',
    ticketFees: 4.26,
    processingFee: 15,
    refunded: 10.05,
    discounts: 0,
    deducted: 2.25,
    refundCosts: 0.46,
    debtDeducted: 1.75,
    held: [],
    released: null,
    net: 76.73,
  });
});

import type { PayoutStatement } from '#contract/app/payouts.ts';

/** Four tickets paid, one refunded. */
export const statement: PayoutStatement = {
  ticketsSold: 4,
  gross: 131,
  ticketsOnHold: 0,
  onHold: 0,
  paidTickets: 4,
  ticketFeeRate: '2.0% + $0.75',
  ticketFees: 5.62,
  processingFee: 15,
  refunded: 25,
  discounts: 0,
  deducted: 0,
  refundCosts: 0,
  debtDeducted: 0,
  held: [],
  released: null,
  net: 110.38,
};

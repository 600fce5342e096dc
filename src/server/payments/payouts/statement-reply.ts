/** A payout statement as the API returns it, in dollars. */
import type { PayoutStatement } from '#contract/app/payouts.ts';
import { formatTicketFee } from '#domain/fees.ts';
import { dollarsOf } from '#domain/money.ts';
import { grossWithHoldsOf, ticketsSoldIn } from '#domain/payout-statement.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';

export function statementReply(statement: SettledStatement): PayoutStatement {
  return {
    ticketsSold: ticketsSoldIn(statement),
    gross: dollarsOf(grossWithHoldsOf(statement)),
    ticketsOnHold: statement.ticketsOnHold,
    onHold: dollarsOf(statement.onHoldCents),
    paidTickets: statement.paidTickets,
    ticketFeeRate: formatTicketFee(statement.rate),
    ticketFees: dollarsOf(statement.ticketFeesCents),
    processingFee: dollarsOf(statement.processingFeeCents),
    refunded: dollarsOf(statement.refundedCents),
    discounts: dollarsOf(statement.discountsCents ?? 0),
    deducted: dollarsOf(statement.deductedCents),
    refundCosts: dollarsOf(statement.refundCostsCents ?? 0),
    debtDeducted: dollarsOf(statement.debtDeductedCents),
    held: (statement.held ?? []).map(({ kind, cents, until }) => ({ kind, amount: dollarsOf(cents), until })),
    released: statement.released ?? null,
    net: dollarsOf(statement.netCents),
  };
}

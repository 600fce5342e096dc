/** A payout statement as the API returns it, in dollars. */
import type { PayoutStatement } from '#contract/app/payouts.ts';
import { formatTicketFee } from '#domain/fees.ts';
import { dollarsOf } from '#domain/money.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';

export function statementReply(statement: SettledStatement): PayoutStatement {
  return {
    ticketsSold: statement.paidTickets + statement.freeTickets + statement.ticketsOnHold,
    gross: dollarsOf(statement.grossCents + statement.onHoldCents),
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

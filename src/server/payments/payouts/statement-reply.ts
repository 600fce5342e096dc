/** A payout statement as the API returns it, in dollars. */
import type { PayoutStatement } from '#contract/payouts.ts';
import { formatTicketFee } from '#domain/fees.ts';
import { dollarsOf } from '#domain/money.ts';
import type { SettledStatement } from '#server/platform/schema.ts';

export function statementReply(statement: SettledStatement): PayoutStatement {
  return {
    ticketsSold: statement.paidTickets + statement.freeTickets + statement.withheldTickets,
    gross: dollarsOf(statement.grossCents + statement.withheldCents),
    withheldTickets: statement.withheldTickets,
    withheld: dollarsOf(statement.withheldCents),
    paidTickets: statement.paidTickets,
    ticketFeeRate: formatTicketFee(statement.rate),
    ticketFees: dollarsOf(statement.ticketFeesCents),
    processingFee: dollarsOf(statement.processingFeeCents),
    refunded: dollarsOf(statement.refundedCents),
    deducted: dollarsOf(statement.deductedCents),
    keptForDebt: dollarsOf(statement.keptForDebtCents),
    net: dollarsOf(statement.netCents),
  };
}

/** Computes the payout statement of an event from rows of the database. */
import type { SalesAtPrice } from '#domain/fees.ts';
import { payoutStatementOfSales } from '#domain/payout-statement.ts';
import { type EventTerms, type RefundedPayments, refundCostsCents } from '#domain/payouts/refund-costs.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';

interface CentsOfEvent {
  eventId: string;
  cents: number;
}

type Deducted = CentsOfEvent & { isDisputed: boolean };

/** Rows of several events. The debt is the organizer's. */
export interface EventSums {
  sold: readonly (SalesAtPrice & { eventId: string; isDisputed: boolean })[];
  refunded: readonly CentsOfEvent[];
  discounts: readonly CentsOfEvent[];
  deducted: readonly Deducted[];
  /** Of events whose organizers bear the costs. */
  refundedPayments: readonly (RefundedPayments & { eventId: string })[];
  debtCents: number;
}

export function statementOfEvent(
  { id, processingFeeWaived, feeTerms }: { id: string; processingFeeWaived: boolean; feeTerms: EventTerms },
  { sold, refunded, discounts, deducted, refundedPayments, debtCents }: EventSums,
): SettledStatement {
  const ofEvent = sold.filter((row) => row.eventId === id);
  const undisputed = ofEvent.filter((row) => !row.isDisputed);
  const statement = payoutStatementOfSales(undisputed, processingFeeWaived, {
    terms: feeTerms,
    onHold: ofEvent.filter((row) => row.isDisputed),
    deductedCents: sum(deducted.filter((row) => row.eventId === id && !row.isDisputed)),
    refundCostsCents: refundCostsCents(refundedPayments.filter((row) => row.eventId === id)),
    debtCents,
  });
  const centsOf = (rows: readonly CentsOfEvent[]) => rows.find((row) => row.eventId === id)?.cents ?? 0;
  const discountsCents = centsOf(discounts);
  return { ...statement, refundedCents: centsOf(refunded), ...(discountsCents > 0 && { discountsCents }) };
}

/** Whether the ledger agrees with the tickets on what is owed and on what went back to buyers. */
export function agreesWithLedger(
  { grossCents, onHoldCents, deductedCents, refundedCents }: SettledStatement,
  { payableCents, goneCents }: { payableCents: number; goneCents: number },
  deducted: readonly Pick<Deducted, 'isDisputed' | 'cents'>[],
): boolean {
  // Disputed orders may have deductions too. The statement deducts those only once the orders are paid.
  const disputedDeductions = sum(deducted.filter((row) => row.isDisputed));
  const isOwed = payableCents === grossCents + onHoldCents - deductedCents - disputedDeductions;
  return isOwed && goneCents === refundedCents + deductedCents + disputedDeductions;
}

const sum = (rows: readonly { cents: number }[]) => rows.reduce((total, { cents }) => total + cents, 0);

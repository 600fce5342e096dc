import type { EventTerms } from '#domain/payouts/refund-costs.ts';
import { readEventBalances } from '#server/ledger/read-balances.ts';
import type { Db } from '#server/platform/database.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import { outstandingDebt } from './debts.ts';
import {
  deductions,
  discountsCents,
  refundedCents,
  refundedInTotals,
  refundedPayments as refundedPaymentsOf,
  soldAtPrices,
  soldInTotals,
} from './payout-sums.sql.ts';
import { agreesWithLedger, statementOfEvent } from './statement-sums.ts';

interface Billed {
  id: string;
  organizationId: string;
  processingFeeWaived: boolean;
  feeTerms: EventTerms;
}

/** Payouts count the tickets themselves. */
const BY_COUNTING = { sold: soldAtPrices, refunded: refundedCents };

/** Estimates on screen use the running totals: equally exact, and their cost grows only with the tickets that have a promo code. */
export const BY_TOTALS = { sold: soldInTotals, refunded: refundedInTotals };

/** What each event would be paid now. Used for both the estimate and the payout. */
export async function settledStatements(
  db: Db,
  events: readonly Billed[],
  sums = BY_COUNTING,
): Promise<(event: Billed) => SettledStatement> {
  const read = await readSums(db, events, sums);
  const discounts = await discountsCents(
    db,
    events.map((event) => event.id),
  );
  const debts = new Map<string, number>();
  for (const { organizationId } of events) {
    if (!debts.has(organizationId)) debts.set(organizationId, await outstandingDebt(db, organizationId));
  }
  return (event) => statementOfEvent(event, { ...read, discounts, debtCents: debts.get(event.organizationId) ?? 0 });
}

/** The same before the organizer's debt, for events of many organizations. */
export async function statementsBeforeDebt(
  db: Db,
  events: readonly Billed[],
): Promise<(event: Billed) => SettledStatement> {
  const read = await readSums(db, events, BY_TOTALS);
  return (event) => statementOfEvent(event, { ...read, discounts: [], debtCents: 0 });
}

async function readSums(db: Db, events: readonly Billed[], sums: typeof BY_COUNTING) {
  const ids = events.map((event) => event.id);
  const bearing = events.filter(({ feeTerms }) => feeTerms.refundCosts === 'organizer');
  return {
    sold: await sums.sold(db, ids),
    refunded: await sums.refunded(db, ids),
    deducted: await deductions(db, ids),
    refundedPayments: await refundedPaymentsOf(
      db,
      bearing.map((event) => event.id),
    ),
  };
}

export async function agreesWithTheLedger(db: Db, eventId: string, statement: SettledStatement): Promise<boolean> {
  return agreesWithLedger(statement, await readEventBalances(db, eventId), await deductions(db, [eventId]));
}

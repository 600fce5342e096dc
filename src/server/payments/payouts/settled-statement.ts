import { readEventBalances } from '#server/ledger/read-balances.ts';
import type { Db } from '#server/platform/database.ts';
import type { SettledStatement } from '#server/platform/schema.ts';
import { outstandingDebt } from './debts.ts';
import { deductions, refundedCents, refundedInTotals, soldAtPrices, soldInTotals } from './payout-sums.sql.ts';
import { agreesWithLedger, statementOfEvent } from './statement-sums.ts';

interface Billed {
  id: string;
  organizerId: string;
  processingFeeWaived: boolean;
}

/** Money is moved by counting the tickets. */
const BY_COUNTING = { sold: soldAtPrices, refunded: refundedCents };

/** To show an estimate, the totals do, which are as exact and do not grow with the event. */
export const BY_TOTALS = { sold: soldInTotals, refunded: refundedInTotals };

/** What each event would be paid as of now: the one computation for the estimate on the profile and for the payout. */
export async function settledStatements(
  db: Db,
  events: readonly Billed[],
  figures = BY_COUNTING,
): Promise<(event: Billed) => SettledStatement> {
  const ids = events.map((event) => event.id);
  const sold = await figures.sold(db, ids);
  const refunded = await figures.refunded(db, ids);
  const deducted = await deductions(db, ids);
  const debts = new Map<string, number>();
  for (const { organizerId } of events) {
    if (!debts.has(organizerId)) debts.set(organizerId, await outstandingDebt(db, organizerId));
  }

  return (event) => statementOfEvent(event, { sold, refunded, deducted, debtCents: debts.get(event.organizerId) ?? 0 });
}

/** Whether the books say the same as the tickets. */
export async function agreesWithTheLedger(db: Db, eventId: string, statement: SettledStatement): Promise<boolean> {
  return agreesWithLedger(statement, await readEventBalances(db, eventId), await deductions(db, [eventId]));
}

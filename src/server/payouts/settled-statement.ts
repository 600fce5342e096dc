import { payoutStatementOfSales } from '#domain/payout-statement.ts';
import type { Db } from '#server/database.ts';
import { readEventBalances } from '#server/ledger/read-balances.ts';
import type { SettledStatement } from '#server/schema.ts';
import { outstandingDebt } from './outstanding-debt.ts';
import { deductions, refundedCents, refundedInTotals, soldAtPrices, soldInTotals } from './payout-sums.sql.ts';

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

  return ({ id, organizerId, processingFeeWaived }) => {
    const ofEvent = sold.filter((row) => row.eventId === id);
    const undisputed = ofEvent.filter((row) => !row.isDisputed);
    const statement = payoutStatementOfSales(undisputed, processingFeeWaived, {
      withheld: ofEvent.filter((row) => row.isDisputed),
      deductedCents: sum(deducted.filter((row) => row.eventId === id && !row.isDisputed).map((row) => row.cents)),
      debtCents: debts.get(organizerId) ?? 0,
    });
    return { ...statement, refundedCents: refunded.find((row) => row.eventId === id)?.cents ?? 0 };
  };
}

/** Whether the books say the same as the tickets: what is owed for the event, and what of its sales is gone. */
export async function isInTheBooks(
  db: Db,
  eventId: string,
  { grossCents, withheldCents, deductedCents, refundedCents: refunded }: SettledStatement,
): Promise<boolean> {
  const { payableCents, goneCents } = await readEventBalances(db, eventId);
  // Of disputed orders, too, a part may be gone; the statement deducts it only once they are paid.
  const ofDisputed = sum((await deductions(db, [eventId])).filter((row) => row.isDisputed).map((row) => row.cents));
  const isOwed = payableCents === grossCents + withheldCents - deductedCents - ofDisputed;
  return isOwed && goneCents === refunded + deductedCents + ofDisputed;
}

const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

import { payoutStatement } from '#domain/payout-statement.ts';
import type { Db } from '#server/database.ts';
import { readEventBalances } from '#server/ledger/read-balances.ts';
import type { SettledStatement } from '#server/schema.ts';
import { outstandingDebt } from './outstanding-debt.ts';
import { deductions, refundedCents, soldAtPrices } from './payouts.sql.ts';

interface Billed {
  id: string;
  organizerId: string;
  processingFeeWaived: boolean;
}

/** What each event would be paid as of now: the one computation for the estimate on the profile and for the payout. */
export async function settledStatements(
  db: Db,
  events: readonly Billed[],
): Promise<(event: Billed) => SettledStatement> {
  const ids = events.map((event) => event.id);
  const sold = await soldAtPrices(db, ids);
  const refunded = await refundedCents(db, ids);
  const deducted = await deductions(db, ids);
  const debts = new Map<string, number>();
  for (const { organizerId } of events) {
    if (!debts.has(organizerId)) debts.set(organizerId, await outstandingDebt(db, organizerId));
  }

  return ({ id, organizerId, processingFeeWaived }) => {
    const ofEvent = sold.filter((row) => row.eventId === id);
    const prices = ofEvent
      .filter((row) => !row.isDisputed)
      .flatMap(({ priceCents, tickets }) => Array<number>(tickets).fill(priceCents));
    const statement = payoutStatement(prices, processingFeeWaived, {
      withheldCents: sum(ofEvent.filter((row) => row.isDisputed).map((row) => row.priceCents * row.tickets)),
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

/** What an event would be paid, added up from what the database knows of it. */
import type { SalesAtPrice } from '#domain/fees.ts';
import { payoutStatementOfSales } from '#domain/payout-statement.ts';
import type { SettledStatement } from '#server/platform/schema.ts';

interface CentsOfEvent {
  eventId: string;
  cents: number;
}

type Deducted = CentsOfEvent & { isDisputed: boolean };

/** Of several events; the debt is the organizer's. */
export interface EventSums {
  sold: readonly (SalesAtPrice & { eventId: string; isDisputed: boolean })[];
  refunded: readonly CentsOfEvent[];
  deducted: readonly Deducted[];
  debtCents: number;
}

export function statementOfEvent(
  { id, processingFeeWaived }: { id: string; processingFeeWaived: boolean },
  { sold, refunded, deducted, debtCents }: EventSums,
): SettledStatement {
  const ofEvent = sold.filter((row) => row.eventId === id);
  const undisputed = ofEvent.filter((row) => !row.isDisputed);
  const statement = payoutStatementOfSales(undisputed, processingFeeWaived, {
    withheld: ofEvent.filter((row) => row.isDisputed),
    deductedCents: sum(deducted.filter((row) => row.eventId === id && !row.isDisputed)),
    debtCents,
  });
  return { ...statement, refundedCents: refunded.find((row) => row.eventId === id)?.cents ?? 0 };
}

/** Whether the books agree on what is owed for the event, and on what of its sales is gone. */
export function agreesWithLedger(
  { grossCents, withheldCents, deductedCents, refundedCents }: SettledStatement,
  { payableCents, goneCents }: { payableCents: number; goneCents: number },
  deducted: readonly Pick<Deducted, 'isDisputed' | 'cents'>[],
): boolean {
  // Of disputed orders, too, a part may be gone; the statement deducts it only once they are paid.
  const ofDisputed = sum(deducted.filter((row) => row.isDisputed));
  const isOwed = payableCents === grossCents + withheldCents - deductedCents - ofDisputed;
  return isOwed && goneCents === refundedCents + deductedCents + ofDisputed;
}

const sum = (rows: readonly { cents: number }[]) => rows.reduce((total, { cents }) => total + cents, 0);

/**
 * What a payout does to the books: what the tickets sold for leaves the organizer's account, the fees stay with us, and
 * what the organizer owed us is settled from it.
 */
import type { PayoutStatement } from '#domain/payout-statement.ts';
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

/** `subjectId` is the payout. */
export async function recordPayout(
  db: Db,
  payout: { eventId: string; subjectId: string; at: Date },
  { grossCents, deductedCents, ticketFeesCents, processingFeeCents, keptForDebtCents, netCents }: PayoutStatement,
): Promise<void> {
  const entries = {
    'organizer-payable': grossCents - deductedCents,
    processor: -netCents,
    'platform-fees': -(ticketFeesCents + processingFeeCents),
    receivables: -keptForDebtCents,
  };
  await writeLedger(db, { ...payout, kind: 'payout', entries });
}

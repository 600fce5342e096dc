/** What a payout does to the books: the whole of the sales leaves the organizer's account, the fees stay with us. */
import type { PayoutStatement } from '#domain/payout-statement.ts';
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

/** `subjectId` is the payout. */
export async function recordPayout(
  db: Db,
  payout: { eventId: string; subjectId: string; at: Date },
  { grossCents, ticketFeesCents, processingFeeCents, netCents }: PayoutStatement,
): Promise<void> {
  const entries = {
    'organizer-payable': grossCents,
    processor: -netCents,
    'platform-fees': -(ticketFeesCents + processingFeeCents),
  };
  await writeLedger(db, { ...payout, kind: 'payout', entries });
}

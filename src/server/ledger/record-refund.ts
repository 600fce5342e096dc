/** What giving money back does to the books. `subjectId` is the refund. */
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

interface Movement {
  eventId: string;
  subjectId: string;
  cents: number;
  at: Date;
}

/** A ticket's price is no longer owed to the organizer. The card fee stays: the card company keeps it. */
export async function recordRefund(db: Db, { cents, ...refund }: Movement): Promise<void> {
  await writeLedger(db, { ...refund, kind: 'refund', entries: { 'organizer-payable': cents, processor: -cents } });
}

export async function recordUnfillableRefund(db: Db, { cents, ...refund }: Movement): Promise<void> {
  const entries = { processor: -cents, 'owed-to-buyers': cents };
  await writeLedger(db, { ...refund, kind: 'unfillable-refund', entries });
}

/** What an operator's word does to the books: no card company is asked for either of these. */
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

interface Movement {
  eventId: string;
  subjectId: string;
  cents: number;
  at: Date;
}

/** A refund that came back, paid to its buyer another way. `subjectId` is the refund. */
export async function recordOwedPaid(db: Db, { cents, ...refund }: Movement): Promise<void> {
  await writeLedger(db, { ...refund, kind: 'owed-paid', entries: { 'owed-to-buyers': cents, operator: -cents } });
}

/** What an organizer will not give back any more. `subjectId` is the recovery. */
export async function recordWriteOff(db: Db, { cents, ...recovery }: Movement): Promise<void> {
  await writeLedger(db, { ...recovery, kind: 'write-off', entries: { receivables: -cents, 'write-offs': cents } });
}

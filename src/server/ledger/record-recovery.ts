/** What taking money of a payout back does to the books: it undoes, for these tickets, what the payout did. */
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

interface Recovered {
  eventId: string;
  /** The recovery. */
  subjectId: string;
  grossCents: number;
  /** Ticket fees that go back to the organizer with it. */
  feesCents: number;
  at: Date;
}

/** `into`: the money came back to our balance, or the organizer owes it to us. */
export async function recordRecovery(
  db: Db,
  { grossCents, feesCents, ...recovery }: Recovered,
  into: 'processor' | 'receivables',
): Promise<void> {
  const entries = {
    [into]: grossCents - feesCents,
    'platform-fees': feesCents,
    'organizer-payable': -grossCents,
  };
  await writeLedger(db, { ...recovery, kind: 'recovery', entries });
}

/**
 * What giving money back does to the books. A refund first changes whom the money is owed to, and leaves our balance
 * only when the card company says so. `subjectId` is the refund.
 */
import type { Db } from '#server/database.ts';
import type { LedgerAccount } from '#server/schema.ts';
import { type LedgerTransaction, writeLedger } from './ledger.sql.ts';

interface Movement {
  eventId: string;
  subjectId: string;
  cents: number;
  at: Date;
}

/** The card company has taken it: a ticket's price is no longer owed to the organizer. Its fee for the sale stays with it. */
export async function recordRefund(db: Db, movement: Movement): Promise<void> {
  await move(db, 'refund', movement, { from: 'organizer-payable', to: 'owed-to-buyers' });
}

export async function recordRefundMoved(db: Db, movement: Movement): Promise<void> {
  await move(db, 'refund-moved', movement, { from: 'owed-to-buyers', to: 'processor' });
}

/** The money came back to us, and is the buyer's all the same. */
export async function recordRefundFailed(db: Db, movement: Movement): Promise<void> {
  await move(db, 'refund-failed', movement, { from: 'processor', to: 'owed-to-buyers' });
}

/** Made at the card company itself: `organizerCents` of it were the organizer's, the rest was owed to the buyer already. */
export async function recordExternalRefund(
  db: Db,
  { organizerCents, hasMoved, cents, ...movement }: Movement & { organizerCents: number; hasMoved: boolean },
): Promise<void> {
  const owedCents = hasMoved ? cents - organizerCents : -organizerCents;
  const entries = {
    'organizer-payable': organizerCents,
    'owed-to-buyers': owedCents,
    processor: hasMoved ? -cents : 0,
  };
  await writeLedger(db, { ...movement, kind: 'external-refund', entries });
}

export async function recordExternalRefundFailed(db: Db, movement: Movement): Promise<void> {
  await move(db, 'external-refund-failed', movement, { from: 'processor', to: 'owed-to-buyers' });
}

async function move(
  db: Db,
  kind: LedgerTransaction['kind'],
  { cents, ...movement }: Movement,
  { from, to }: { from: LedgerAccount; to: LedgerAccount },
): Promise<void> {
  await writeLedger(db, { ...movement, kind, entries: { [from]: cents, [to]: -cents } });
}

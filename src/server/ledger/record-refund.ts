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

/** Made at the card company itself. Of an order without tickets the money was owed to its buyer all along. */
export async function recordExternalRefund(
  db: Db,
  { hasTickets, hasMoved, ...movement }: Movement & { hasTickets: boolean; hasMoved: boolean },
): Promise<void> {
  await move(db, 'external-refund', movement, {
    from: hasTickets ? 'organizer-payable' : 'owed-to-buyers',
    to: hasMoved ? 'processor' : 'owed-to-buyers',
  });
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
  if (from === to) return;
  await writeLedger(db, { ...movement, kind, entries: { [from]: cents, [to]: -cents } });
}

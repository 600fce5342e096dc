/** What a sale does to the books: the card company owes us the total, and we owe it to the organizer. */
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

/** `subjectId` is the order. */
interface Movement {
  eventId: string;
  subjectId: string;
  cents: number;
  at: Date;
}

export async function recordSale(db: Db, { cents, ...sale }: Movement): Promise<void> {
  await writeLedger(db, { ...sale, kind: 'sale', entries: { processor: cents, 'organizer-payable': -cents } });
}

/** The card company keeps its fee from the charge; the platform bears it, not the organizer. */
export async function recordCardFee(db: Db, { cents, ...sale }: Movement): Promise<void> {
  await writeLedger(db, { ...sale, kind: 'card-fee', entries: { 'card-fees': cents, processor: -cents } });
}

/** Money that arrived for an order without tickets is owed to its buyer, never to the organizer. */
export async function recordUnfillableSale(db: Db, { cents, ...sale }: Movement): Promise<void> {
  await writeLedger(db, { ...sale, kind: 'unfillable-sale', entries: { processor: cents, 'owed-to-buyers': -cents } });
}

/** What a buyer's dispute does to the books. `subjectId` is the dispute. */
import type { Db } from '#server/database.ts';
import { writeLedger } from './ledger.sql.ts';

interface Movement {
  eventId: string;
  subjectId: string;
  at: Date;
}

/** The card company takes the amount and its fee from our balance until the bank has decided. */
export async function recordDisputeOpened(
  db: Db,
  { cents, feeCents, ...dispute }: Movement & { cents: number; feeCents: number },
): Promise<void> {
  const entries = { disputed: cents, 'dispute-costs': feeCents, processor: -(cents + feeCents) };
  await writeLedger(db, { ...dispute, kind: 'dispute-opened', entries });
}

/** `feeCents`: by how much the fee changed since the dispute opened. */
export async function recordDisputeWon(
  db: Db,
  { cents, feeCents, ...dispute }: Movement & { cents: number; feeCents: number },
): Promise<void> {
  const entries = { processor: cents - feeCents, disputed: -cents, 'dispute-costs': feeCents };
  await writeLedger(db, { ...dispute, kind: 'dispute-won', entries });
}

/** The buyer keeps the money: first what the organizer, then what the buyer would have got; the platform bears the rest. */
export async function recordDisputeLost(
  db: Db,
  dispute: Movement,
  {
    cents,
    feeCents,
    organizerCents,
    buyerCents,
  }: Record<'cents' | 'feeCents' | 'organizerCents' | 'buyerCents', number>,
): Promise<void> {
  const entries = {
    disputed: -cents,
    'organizer-payable': organizerCents,
    'owed-to-buyers': buyerCents,
    'dispute-costs': cents - organizerCents - buyerCents + feeCents,
    processor: -feeCents,
  };
  await writeLedger(db, { ...dispute, kind: 'dispute-lost', entries });
}

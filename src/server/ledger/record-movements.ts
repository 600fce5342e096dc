/**
 * Every movement of money as a double entry. A sale: Stripe owes us the total, and we owe it to the organizer. A refund first
 * changes whom the money is owed to, and leaves our balance only once Stripe confirms it. A transfer reversal undoes, for its tickets,
 * what the payout did.
 */

import type { PayoutStatement } from '#domain/payout-statement.ts';
import type { Db } from '#server/platform/database.ts';
import type { LedgerAccount } from '#server/platform/schema.ts';
import { type LedgerTransaction, writeLedger } from './ledger.sql.ts';

/** `subjectId`: the order, refund, dispute, reversal or payout that moves the money. */
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
export async function recordUnfulfillableSale(db: Db, { cents, ...sale }: Movement): Promise<void> {
  await writeLedger(db, { ...sale, kind: 'unfillable-sale', entries: { processor: cents, 'owed-to-buyers': -cents } });
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

/** The card company takes the amount and its fee from our balance until the bank has decided. */
export async function recordDisputeOpened(
  db: Db,
  { cents, feeCents, ...dispute }: Movement & { feeCents: number },
): Promise<void> {
  const entries = { disputed: cents, 'dispute-costs': feeCents, processor: -(cents + feeCents) };
  await writeLedger(db, { ...dispute, kind: 'dispute-opened', entries });
}

/** `feeCents`: by how much the fee changed since the dispute opened. */
export async function recordDisputeWon(
  db: Db,
  { cents, feeCents, ...dispute }: Movement & { feeCents: number },
): Promise<void> {
  const entries = { processor: cents - feeCents, disputed: -cents, 'dispute-costs': feeCents };
  await writeLedger(db, { ...dispute, kind: 'dispute-won', entries });
}

/** The buyer keeps the money: first what the organizer, then what the buyer would have got; the platform bears the rest. */
export async function recordDisputeLost(
  db: Db,
  dispute: Omit<Movement, 'cents'>,
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

interface ReversedMovement {
  eventId: string;
  /** The recovery. */
  subjectId: string;
  grossCents: number;
  /** Ticket fees that go back to the organizer with it. */
  feesCents: number;
  at: Date;
}

/** `into`: the money came back to our balance, or the organizer owes it to us. */
export async function recordReversal(
  db: Db,
  { grossCents, feesCents, ...recovery }: ReversedMovement,
  into: 'processor' | 'receivables',
): Promise<void> {
  const entries = {
    [into]: grossCents - feesCents,
    'platform-fees': feesCents,
    'organizer-payable': -grossCents,
  };
  await writeLedger(db, { ...recovery, kind: 'recovery', entries });
}

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

/** A refund that came back, paid to its buyer another way. `subjectId` is the refund. */
export async function recordOwedPaid(db: Db, { cents, ...refund }: Movement): Promise<void> {
  await writeLedger(db, { ...refund, kind: 'owed-paid', entries: { 'owed-to-buyers': cents, operator: -cents } });
}

/** What an organizer will not give back any more. `subjectId` is the recovery. */
export async function recordWriteOff(db: Db, { cents, ...recovery }: Movement): Promise<void> {
  await writeLedger(db, { ...recovery, kind: 'write-off', entries: { receivables: -cents, 'write-offs': cents } });
}

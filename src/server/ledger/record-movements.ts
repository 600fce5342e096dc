/**
 * Every money movement as a double entry. A sale: Stripe owes us the total, and we owe it to the organizer. A refund first
 * moves the debt from the organizer to the buyer, and leaves our balance once Stripe confirms it. A transfer reversal
 * undoes the payout for its tickets.
 */
import type { PayoutStatement } from '#domain/payout-statement.ts';
import type { Db } from '#server/platform/database.ts';
import type { LedgerAccount } from '#server/platform/schema/ledger.ts';
import { type LedgerTransaction, recordSale, writeLedger } from './ledger.sql.ts';

/** `subjectId`: the order, refund, dispute, reversal or payout that moves the money. */
interface Movement {
  eventId: string;
  subjectId: string;
  cents: number;
  at: Date;
}

/** Stripe deducts its fee from the charge. The platform pays it; of refunds, the organizer may. The sale itself is recorded with its tickets. */
export async function recordCardFee(db: Db, { cents, ...sale }: Movement): Promise<void> {
  await recordSale(db, { ...sale, totalCents: null, feeCents: cents });
}

/** Money received for an order without tickets is owed to the buyer, never to the organizer. */
export async function recordUnfulfillableSale(db: Db, { cents, ...sale }: Movement): Promise<void> {
  await writeLedger(db, {
    ...sale,
    kind: 'unfulfillable-sale',
    entries: { processor: cents, 'owed-to-buyers': -cents },
  });
}

/** Stripe accepted the refund, so the price is owed to the buyer. Stripe keeps its fee for the sale. */
export async function recordRefund(db: Db, movement: Movement): Promise<void> {
  await move(db, 'refund', movement, { from: 'organizer-payable', to: 'owed-to-buyers' });
}

export async function recordRefundMoved(db: Db, movement: Movement): Promise<void> {
  await move(db, 'refund-moved', movement, { from: 'owed-to-buyers', to: 'processor' });
}

/** The money came back to our balance and is still owed to the buyer. */
export async function recordRefundFailed(db: Db, movement: Movement): Promise<void> {
  await move(db, 'refund-failed', movement, { from: 'processor', to: 'owed-to-buyers' });
}

/** A refund made in the Stripe dashboard: `organizerCents` come from the organizer, the rest was already owed to the buyer. */
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

/** Stripe withdraws the amount and its fee from our balance until the bank decides. */
export async function recordDisputeOpened(
  db: Db,
  { cents, feeCents, ...dispute }: Movement & { feeCents: number },
): Promise<void> {
  const entries = { disputed: cents, 'dispute-costs': feeCents, processor: -(cents + feeCents) };
  await writeLedger(db, { ...dispute, kind: 'dispute-opened', entries });
}

/** `feeCents`: change of the fee since the dispute opened. */
export async function recordDisputeWon(
  db: Db,
  { cents, feeCents, ...dispute }: Movement & { feeCents: number },
): Promise<void> {
  const entries = { processor: cents - feeCents, disputed: -cents, 'dispute-costs': feeCents };
  await writeLedger(db, { ...dispute, kind: 'dispute-won', entries });
}

/** The buyer keeps the money. The organizer's share covers it first, then what the buyer was owed, then the platform. */
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
  subjectId: string;
  grossCents: number;
  /** Ticket fees returned to the organizer. */
  feesCents: number;
  /** Of it, what the payout held back. It was never sent, so it only goes to this order's share. */
  reserveCents: number;
  at: Date;
}

/** `into`: the transfer was reversed into our balance, or the organizer owes us the amount. */
export async function recordReversal(
  db: Db,
  { grossCents, feesCents, reserveCents, ...reversal }: ReversedMovement,
  into: 'processor' | 'receivables',
): Promise<void> {
  const entries = {
    [into]: grossCents - feesCents - reserveCents,
    'platform-fees': feesCents,
    'organizer-payable': -(grossCents - reserveCents),
  };
  await writeLedger(db, { ...reversal, kind: 'transfer-reversal', entries });
}

export async function recordPayout(
  db: Db,
  payout: { eventId: string; subjectId: string; at: Date },
  { ticketFeesCents, processingFeeCents, refundCostsCents = 0, debtDeductedCents, netCents }: PayoutStatement,
): Promise<void> {
  const feesCents = ticketFeesCents + processingFeeCents;
  const entries = {
    // What the payout holds back stays owed.
    'organizer-payable': netCents + feesCents + debtDeductedCents,
    processor: -netCents,
    'platform-fees': -feesCents,
    receivables: -debtDeductedCents,
  };
  await writeLedger(db, { ...payout, kind: 'payout', entries });
  await recordRefundCosts(db, { ...payout, cents: refundCostsCents }, 'organizer-payable');
}

/** Stripe's fees on refunds. `from`: the payout deducts them, or the organizer owes them to us. */
export async function recordRefundCosts(
  db: Db,
  movement: Movement,
  from: 'organizer-payable' | 'receivables',
): Promise<void> {
  await move(db, 'refund-costs', movement, { from, to: 'card-fees' });
}

/** A failed refund that an operator paid outside Stripe. */
export async function recordOwedPaid(db: Db, { cents, ...refund }: Movement): Promise<void> {
  await writeLedger(db, { ...refund, kind: 'owed-paid', entries: { 'owed-to-buyers': cents, operator: -cents } });
}

/** A debt that the organizer will not pay back. */
export async function recordWriteOff(db: Db, { cents, ...reversal }: Movement): Promise<void> {
  await writeLedger(db, { ...reversal, kind: 'write-off', entries: { receivables: -cents, 'write-offs': cents } });
}

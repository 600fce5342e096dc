/** Syncs an order's refunds with Stripe and records refunds made in the Stripe dashboard. Idempotent. */
import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { PaymentReading, ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import { recordFailed, recordProgress, recordRefused, recordSent } from './record-answer.ts';
import { recordExternalRefundOf, recordOrphanedRefund } from './record-external-refund.ts';
import { type LockedOrder, lockOrderForRefund } from './refund-locks.sql.ts';
import { lockRefundsOf } from './refunds.sql.ts';
import { voidTicketsOf } from './void-tickets.ts';

/** Changes that an operator should look at. */
const LOG_MESSAGES = {
  failed: 'a refund failed: the money is owed to the buyer',
  external: 'recorded a refund made in the Stripe dashboard',
  orphaned: 'recorded an orphaned refund',
};

interface Change {
  kind: keyof typeof LOG_MESSAGES;
  refund: ProcessorRefundState;
}

type RefundRow = Awaited<ReturnType<typeof lockRefundsOf>>[number];

export async function applyRefunds(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  order: OrderRef,
  reading: Pick<PaymentReading, 'chargedCents' | 'refunds'>,
): Promise<void> {
  if (reading.refunds.length === 0) return;
  const changes = await inTransaction(db, async (tx) => {
    const locked = await lockOrderForRefund(tx, order);
    // An unsettled order has no money in the ledger that could be refunded.
    if (!locked || locked.state === 'reserved' || locked.state === 'expired') return [];

    const rows = await lockRefundsOf(tx, order);
    const changes: Change[] = [];
    for (const refund of ourRefundsFirst(reading.refunds, rows)) {
      const kind = await applyOne(tx, locked, rows, refund);
      if (kind) changes.push({ kind, refund });
    }
    if (isFullyRefunded(reading) && (await hasActiveExternal(tx, order))) await voidTicketsOf(tx, order);
    return changes;
  });
  const { eventId, orderId } = order;
  for (const { kind, refund } of changes) log.error({ eventId, orderId, ...refund }, LOG_MESSAGES[kind]);
}

/** Our refunds first: a dashboard refund may replace one of ours that failed. */
function ourRefundsFirst(refunds: readonly ProcessorRefundState[], rows: readonly RefundRow[]): ProcessorRefundState[] {
  const isKnown = ({ stripeRefundId, refundId }: ProcessorRefundState) =>
    rows.some((row) => row.stripeRefundId === stripeRefundId || row.id === refundId);
  return [...refunds.filter(isKnown), ...refunds.filter((refund) => !isKnown(refund))];
}

async function applyOne(
  tx: Db,
  order: LockedOrder,
  rows: readonly RefundRow[],
  refund: ProcessorRefundState,
): Promise<Change['kind'] | null> {
  const { stripeRefundId, state } = refund;
  const known = rows.find((row) => row.stripeRefundId === stripeRefundId);
  if (known) return applyProgress(tx, order, known, refund);

  const ours = rows.find((row) => row.id === refund.refundId);
  if (ours?.state === 'claimed') {
    if (state !== 'failed') await recordSent(tx, order, ours.id, refund);
    else await recordRefused(tx, order, { refundId: ours.id, reason: failureMessage(refund), isBuyerWaiting: false });
    return null;
  }
  // A refund that failed before we saw it moved no money.
  if (state === 'failed') return null;
  if (!ours && (await recordOrphanedRefund(tx, order, refund))) return 'orphaned';
  await recordExternalRefundOf(tx, order, refund);
  return 'external';
}

async function applyProgress(
  tx: Db,
  order: LockedOrder,
  { id: refundId, reason, state, cents, movedAt, settledAt }: RefundRow,
  refund: ProcessorRefundState,
): Promise<Change['kind'] | null> {
  if (state !== 'sent') return null;
  const sent = { eventId: order.eventId, refundId, cents, movedAt, settledAt };
  await recordProgress(tx, sent, refund, order.now);
  if (refund.state !== 'failed') return null;
  // Our ledger may show a movement that Stripe never made: earlier versions booked it when Stripe accepted the refund.
  const hasMoved = refund.hasMoved || movedAt !== null;
  await recordFailed(tx, order, sent, { hasMoved, isExternal: reason === 'external' });
  return 'failed';
}

function isFullyRefunded({ chargedCents, refunds }: Pick<PaymentReading, 'chargedCents' | 'refunds'>): boolean {
  const refundedCents = refunds.filter(({ state }) => state !== 'failed').reduce((sum, { cents }) => sum + cents, 0);
  return refundedCents >= chargedCents;
}

/** Only dashboard refunds void the order's tickets. Each of ours refunds a single ticket. */
async function hasActiveExternal(tx: Db, order: OrderRef): Promise<boolean> {
  const rows = await lockRefundsOf(tx, order);
  return rows.some(({ reason, state }) => reason === 'external' && state === 'sent');
}

function failureMessage({ stripeRefundId, failure }: ProcessorRefundState): string {
  return `${stripeRefundId} failed: ${failure ?? 'no reason given'}`;
}

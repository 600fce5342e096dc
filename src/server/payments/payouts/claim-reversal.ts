/** Claims the transfer reversal of a refund or dispute after the event was paid out. */
import type { OrderRef } from '#domain/order.ts';
import { reversalShares } from '#domain/reversal.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { putDisputeOnHold } from './on-hold.sql.ts';
import { takeFromReserves } from './reserves.sql.ts';
import {
  insertReversal,
  payoutOfOrder,
  payoutToReverse,
  reversalsOfPayout,
  sharesOfOrder,
  useReversals,
} from './reversals.sql.ts';

export interface LostMoney extends OrderRef {
  cause: { disputeId: string } | { refundId: string };
  grossCents: number;
  at: Date;
}

/**
 * Takes it from what the payout held back first, then from its transfer. The caller holds the locks of the event and the order. Claims nothing if the event was not paid out or the payout left
 * the order out, and never more than the order's tickets brought in.
 */
export async function claimReversal(tx: Db, { eventId, orderId, cause, grossCents, at }: LostMoney): Promise<void> {
  const payout = await payoutOfOrder(tx, { eventId, orderId });
  if (!payout) return;
  const { payoutId } = payout;
  if (payout.isOnHold) return alsoPutOnHold(tx, { eventId, payoutId, cause });

  const causeId = 'disputeId' in cause ? cause.disputeId : cause.refundId;
  const paid = await sharesOfOrder(tx, { eventId, orderId }, causeId);
  const shares = reversalShares(grossCents, { ...paid, rate: payout.statement.rate });
  // A dispute may have reversed the order already. Then that money pays the refund.
  if ('refundId' in cause) await useReversals(tx, { eventId, orderId }, grossCents - (shares?.grossCents ?? 0));
  if (!shares) return;

  const reserveCents = await takeFromReserves(tx, eventId, shares.grossCents - shares.feesCents);
  const leftCents = shares.grossCents - shares.feesCents - reserveCents;
  const reversalId = newId();
  await insertReversal(tx, {
    eventId,
    id: reversalId,
    orderId,
    disputeId: null,
    refundId: null,
    ...cause,
    payoutId: await payoutToReverse(tx, { eventId, payoutId }, leftCents),
    ...shares,
    reserveCents,
    stripeReversalId: null,
    failureReason: null,
    createdAt: at,
    settledAt: null,
  });
  await enqueue(tx, 'send-reversal', { eventId, reversalId });
}

/** The order is on hold already. It now waits for this dispute as well. */
async function alsoPutOnHold(
  tx: Db,
  { eventId, payoutId, cause }: Pick<LostMoney, 'eventId' | 'cause'> & { payoutId: string },
): Promise<void> {
  if ('disputeId' in cause) {
    await putDisputeOnHold(tx, { eventId, disputeId: cause.disputeId, payoutId });
  }
}

/** Queues the reversals that waited for the payout's transfer. Runs in the transaction that records it. */
export async function queueReversals(tx: Db, payout: { eventId: string; payoutId: string }): Promise<void> {
  for (const { reversalId } of await reversalsOfPayout(tx, payout)) {
    await enqueue(tx, 'send-reversal', { eventId: payout.eventId, reversalId });
  }
}

/** Money of a paid-out event is gone, so what its organizer was paid for it has to come back. */

import type { OrderRef } from '#domain/order.ts';
import { reversalShares } from '#domain/reversal.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { putDisputeOnHold } from './on-hold.sql.ts';
import { insertReversal, payoutOfOrder, reversalsOfPayout, sharesOfOrder } from './reversals.sql.ts';

export interface LostMoney extends OrderRef {
  cause: { disputeId: string } | { refundId: string };
  grossCents: number;
  at: Date;
}

/**
 * Runs in the transaction that holds the event and the order. Nothing comes back of an event that was not paid out, nor
 * of an order that the payout left out; and never more than the order's tickets brought.
 */
export async function claimReversal(tx: Db, { eventId, orderId, cause, grossCents, at }: LostMoney): Promise<void> {
  const payout = await payoutOfOrder(tx, { eventId, orderId });
  if (!payout) return;
  const { payoutId } = payout;
  if (payout.isWithheld) return alsoPutOnHold(tx, { eventId, payoutId, cause });

  const causeId = 'disputeId' in cause ? cause.disputeId : cause.refundId;
  const paid = await sharesOfOrder(tx, { eventId, orderId }, causeId);
  const shares = reversalShares(grossCents, { ...paid, rate: payout.statement.rate });
  if (!shares) return;

  const recoveryId = newId();
  await insertReversal(tx, {
    eventId,
    id: recoveryId,
    orderId,
    disputeId: null,
    refundId: null,
    ...cause,
    payoutId,
    ...shares,
    reversalId: null,
    refusal: null,
    createdAt: at,
    settledAt: null,
  });
  await enqueue(tx, 'send-recovery', { eventId, recoveryId });
}

/** So that the end of this dispute, too, is waited for before the order is paid. */
async function alsoPutOnHold(
  tx: Db,
  { eventId, payoutId, cause }: Pick<LostMoney, 'eventId' | 'cause'> & { payoutId: string },
): Promise<void> {
  if ('disputeId' in cause) {
    await putDisputeOnHold(tx, { eventId, disputeId: cause.disputeId, payoutId });
  }
}

/** Runs in the transaction that records a payout's transfer: what waited for it can be taken back now. */
export async function queueReversals(tx: Db, payout: { eventId: string; payoutId: string }): Promise<void> {
  for (const { recoveryId } of await reversalsOfPayout(tx, payout)) {
    await enqueue(tx, 'send-recovery', { eventId: payout.eventId, recoveryId });
  }
}

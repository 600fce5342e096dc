/** A refund that was made at the card company itself, in its dashboard. The caller's transaction holds the order. */
import type { Db } from '#server/database.ts';
import { claimRecovery } from '#server/disputes/claim-recovery.ts';
import { readOrderBalances } from '#server/ledger/read-balances.ts';
import { recordExternalRefund } from '#server/ledger/record-refund.ts';
import { newId } from '#server/new-id.ts';
import type { ProviderRefund } from '#server/ports/card-processor.ts';
import type { LockedOrder } from './refunded-tickets.sql.ts';
import { insertRefunds } from './refunds.sql.ts';

export async function recordOutsideRefund(
  tx: Db,
  { eventId, orderId, state, now: at }: LockedOrder,
  { providerRefundId, cents, hasMoved, state: became }: ProviderRefund,
): Promise<void> {
  // Somebody pays what a refund could not deliver before they give anything more back.
  const { owedCents } = await readOrderBalances(tx, { eventId, orderId });
  const organizerCents = state === 'paid' ? Math.max(0, cents - owedCents) : 0;
  const refundId = newId();
  const movedAt = hasMoved ? at : null;
  const settledAt = became === 'succeeded' ? at : null;
  const moments = { createdAt: at, sendAfter: at, sendingAt: at, sentAt: at, movedAt, settledAt };
  await insertRefunds(tx, [
    {
      eventId,
      id: refundId,
      orderId,
      ticketId: null,
      cents,
      reason: 'external',
      state: 'sent',
      providerRefundId,
      ...moments,
    },
  ]);

  await recordExternalRefund(tx, { eventId, subjectId: refundId, cents, at, organizerCents, hasMoved });
  // What the organizer was paid for it already has to come back.
  if (organizerCents > 0)
    await claimRecovery(tx, { eventId, orderId, cause: { refundId }, grossCents: organizerCents, at });
}

/** A refund that was made at the card company itself, in its dashboard. The caller's transaction holds the order. */
import type { Db } from '#server/database.ts';
import { claimRecovery } from '#server/disputes/claim-recovery.ts';
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

  const hasTickets = state === 'paid';
  await recordExternalRefund(tx, { eventId, subjectId: refundId, cents, at, hasTickets, hasMoved });
  // What the organizer was paid for it already has to come back.
  if (hasTickets) await claimRecovery(tx, { eventId, orderId, cause: { refundId }, grossCents: cents, at });
}

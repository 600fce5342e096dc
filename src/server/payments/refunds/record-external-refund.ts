/** Records refunds that exist at Stripe but not here. The caller holds the order's lock. */

import { readOrderBalances } from '#server/ledger/read-balances.ts';
import { recordExternalRefund } from '#server/ledger/record-movements.ts';
import { startRefund } from '#server/orders/core/tickets.sql.ts';
import { claimReversal } from '#server/payments/payouts/claim-reversal.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import { lockTicketsToRefund } from './cancelled-events.sql.ts';
import { recordSent } from './record-answer.ts';
import type { LockedOrder } from './refund-locks.sql.ts';
import { claimedRefundOfTicket, insertRefunds, refundableCents } from './refunds.sql.ts';

/**
 * A refund of one ticket that we made and lost, as after restoring an older backup.
 *
 * @returns false if the ticket is unknown, or was used or paid out since; the refund then counts as external
 */
export async function recordOrphanedRefund(tx: Db, order: LockedOrder, refund: ProcessorRefundState): Promise<boolean> {
  const { eventId, orderId, payoutRequestedAt, now: at } = order;
  const { refundId, ticketId, cents } = refund;
  if (refundId === null || ticketId === null || payoutRequestedAt !== null) return false;
  const tickets = await lockTicketsToRefund(tx, eventId, [orderId], ['valid', 'refunding']);
  // The tickets of a rebuilt order replace lost ones, of which this was one.
  const valid = order.rebuiltAt ? await lockTicketsToRefund(tx, eventId, [orderId], ['valid']) : [];
  const ticket = tickets.find(({ id }) => id === ticketId) ?? valid.find(({ priceCents }) => priceCents === cents);
  if (!ticket) return false;

  // Requested again in the meantime: Stripe has already paid the claimed refund.
  const claimed = await claimedRefundOfTicket(tx, eventId, ticket.id);
  if (claimed) {
    if (claimed.cents !== cents) return false;
    await recordSent(tx, order, claimed.id, refund);
    return true;
  }
  if (ticket.priceCents !== cents || (await refundableCents(tx, { eventId, orderId })) < cents) return false;
  const id = newId();
  await insertRefunds(tx, [
    {
      eventId,
      id,
      orderId,
      ticketId: ticket.id,
      cents,
      reason: 'requested',
      createdAt: at,
      sendAfter: at,
      sendingAt: at,
    },
  ]);
  await startRefund(tx, eventId, [ticket.id]);
  await recordSent(tx, order, id, refund);
  return true;
}

/** A refund made in the Stripe dashboard. */
export async function recordExternalRefundOf(
  tx: Db,
  { eventId, orderId, state, now: at }: LockedOrder,
  { stripeRefundId, cents, hasMoved, state: processorState }: ProcessorRefundState,
): Promise<void> {
  // It first covers what the buyer is owed from a failed refund.
  const { owedCents } = await readOrderBalances(tx, { eventId, orderId });
  const organizerCents = state === 'paid' ? Math.max(0, cents - owedCents) : 0;
  const refundId = newId();
  const movedAt = hasMoved ? at : null;
  const settledAt = processorState === 'succeeded' ? at : null;
  const timestamps = { createdAt: at, sendAfter: at, sendingAt: at, sentAt: at, movedAt, settledAt };
  await insertRefunds(tx, [
    {
      eventId,
      id: refundId,
      orderId,
      ticketId: null,
      cents,
      reason: 'external',
      state: 'sent',
      stripeRefundId,
      ...timestamps,
    },
  ]);

  await recordExternalRefund(tx, { eventId, subjectId: refundId, cents, at, organizerCents, hasMoved });
  // If the event was paid out, the organizer's share has to be reversed.
  if (organizerCents > 0)
    await claimReversal(tx, { eventId, orderId, cause: { refundId }, grossCents: organizerCents, at });
}

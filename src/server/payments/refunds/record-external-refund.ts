/**
 * A refund of one ticket that the product asked for and has forgotten, as after restoring an older backup. Its ticket is
 * given back once more, in our books. The caller's transaction holds the order.
 */

import { isPaidOut } from '#server/events/is-paid-out.ts';
import { readOrderBalances } from '#server/ledger/read-balances.ts';
import { recordExternalRefund } from '#server/ledger/record-movements.ts';
import { claimReversal } from '#server/payments/payouts/claim-reversal.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import { lockTicketsToRefund } from './cancelled-events.sql.ts';
import { recordSent } from './record-answer.ts';
import { type LockedOrder, setTicketsState } from './refunded-tickets.sql.ts';
import { centsLeftOf, claimedRefundOfTicket, insertRefunds } from './refunds.sql.ts';

/**
 * False where it cannot be told which ticket it was, or where the ticket was used or paid out since: then it is money
 * that went back by another way.
 */
export async function recordOrphanedRefund(tx: Db, order: LockedOrder, refund: ProcessorRefundState): Promise<boolean> {
  const { eventId, orderId, now: at } = order;
  const { refundId, ticketId, cents } = refund;
  if (refundId === null || ticketId === null || (await isPaidOut({ db: tx }, eventId))) return false;
  const tickets = await lockTicketsToRefund(tx, eventId, [orderId], ['valid', 'refunding']);
  const ticket = tickets.find(({ id }) => id === ticketId);
  if (!ticket) return false;

  // Asked for again before we heard of it: what is claimed has gone back already.
  const claimed = await claimedRefundOfTicket(tx, eventId, ticketId);
  if (claimed) {
    if (claimed.cents !== cents) return false;
    await recordSent(tx, order, claimed.id, refund);
    return true;
  }
  if (ticket.priceCents !== cents || (await centsLeftOf(tx, { eventId, orderId })) < cents) return false;
  const id = newId();
  await insertRefunds(tx, [
    { eventId, id, orderId, ticketId, cents, reason: 'requested', createdAt: at, sendAfter: at, sendingAt: at },
  ]);
  await setTicketsState(tx, eventId, [ticketId], 'refunding');
  await recordSent(tx, order, id, refund);
  return true;
}

/** A refund that was made at the card company itself, in its dashboard. The caller's transaction holds the order. */
export async function recordExternalRefundOf(
  tx: Db,
  { eventId, orderId, state, now: at }: LockedOrder,
  { providerRefundId, cents, hasMoved, state: became }: ProcessorRefundState,
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
    await claimReversal(tx, { eventId, orderId, cause: { refundId }, grossCents: organizerCents, at });
}

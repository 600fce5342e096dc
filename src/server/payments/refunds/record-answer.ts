/** Records Stripe's response to one of our refunds. The caller holds the order's lock. */

import type { OrderRef } from '#domain/order.ts';
import { isChosenRefund } from '#domain/settlement.ts';
import {
  recordExternalRefundFailed,
  recordRefund,
  recordRefundFailed,
  recordRefundMoved,
} from '#server/ledger/record-movements.ts';
import { finishRefund, restoreTicket } from '#server/orders/core/tickets.sql.ts';
import { findHeldTicket } from '#server/orders/core/transfers.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { type HolderEmailKind, queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import { chargeRefundCosts } from './refund-costs.ts';
import type { LockedOrder } from './refund-locks.sql.ts';
import { lockClaimedRefund, type RefundRef, refundsOfAction, updateRefund } from './refunds.sql.ts';

/** Stripe accepted the refund. `refund` is null for a free ticket, which moves no money and settles at once. */
export async function recordSent(
  tx: Db,
  { eventId, orderId, now: at, buyerEmail, cancelledAt }: LockedOrder,
  refundId: string,
  refund: ProcessorRefundState | null,
): Promise<void> {
  const ref = { eventId, refundId };
  const claimed = await lockClaimedRefund(tx, ref);
  if (!claimed) return;

  const { cents, reason, ticketId, actionId } = claimed;
  const settledFields = refund ? {} : { movedAt: at, settledAt: at };
  await updateRefund(tx, ref, {
    state: 'sent',
    stripeRefundId: refund?.stripeRefundId ?? null,
    sentAt: at,
    ...settledFields,
  });
  // Without a ticket, the money has been owed to the buyer since it arrived.
  if (ticketId) {
    // Stock is released only now: if the refund had been refused, the seat could have been sold twice.
    await finishRefund(tx, eventId, ticketId);
    await recordRefund(tx, { eventId, subjectId: refundId, cents, at });
    if (cancelledAt) await chargeRefundCosts(tx, { eventId, orderId }, refundId, at);
  }
  if (refund) await recordProgress(tx, { ...ref, cents, movedAt: null, settledAt: null }, refund, at);
  // Buyers of a cancelled event already got one email about all of their tickets.
  if (reason === 'requested') await emailBuyer(tx, 'refund-accepted', { ...ref, buyerEmail, at });
  if (reason === 'withdrawn') await emailBuyer(tx, 'comp-withdrawn', { ...ref, buyerEmail, at });
  if (actionId) await emailAboutAction(tx, { eventId, orderId }, { actionId, buyerEmail, at });
  if (ticketId && reason !== 'event-cancelled') await emailHolder(tx, 'holder-refunded', { ...ref, ticketId, at });
}

interface SentRefund extends RefundRef {
  cents: number;
  movedAt: Date | null;
  settledAt: Date | null;
}

/** A sent refund may leave our balance later, and succeed later still. */
export async function recordProgress(tx: Db, refund: SentRefund, { hasMoved, state }: ProcessorRefundState, at: Date) {
  const { cents, movedAt, settledAt, ...ref } = refund;
  if (hasMoved && !movedAt) {
    await updateRefund(tx, ref, { movedAt: at });
    await recordRefundMoved(tx, { eventId: ref.eventId, subjectId: ref.refundId, cents, at });
  }
  if (state === 'succeeded' && !settledAt) await updateRefund(tx, ref, { settledAt: at });
}

/** The refund failed after Stripe accepted it. The ticket stays refunded, and an operator has to pay the buyer another way. */
export async function recordFailed(
  tx: Db,
  { eventId, now: at, buyerEmail }: LockedOrder,
  refund: SentRefund,
  { hasMoved, isExternal }: { hasMoved: boolean; isExternal: boolean },
): Promise<void> {
  const { refundId, cents } = refund;
  const record = isExternal ? recordExternalRefundFailed : recordRefundFailed;
  await updateRefund(tx, { eventId, refundId }, { state: 'failed', failedAt: at });
  // Without a movement, the money is still booked as owed to the buyer.
  if (hasMoved) await record(tx, { eventId, subjectId: refundId, cents, at });
  await emailBuyer(tx, 'refund-failed', { eventId, refundId, buyerEmail, at });
}

/** Stripe refused the refund for good. It stays on record for the operator, and the ticket becomes valid again. */
export async function recordRefused(
  tx: Db,
  { eventId, orderId, now: at, buyerEmail, cancelledAt }: LockedOrder,
  { refundId, reason, isBuyerWaiting }: { refundId: string; reason: string; isBuyerWaiting: boolean },
): Promise<void> {
  const ref = { eventId, refundId };
  const claimed = await lockClaimedRefund(tx, ref);
  if (!claimed) return;

  await updateRefund(tx, ref, { state: 'refused', failureReason: reason, endedAt: at });
  // Refunds of a cancelled event leave the ticket as it is: it no longer admits anyone.
  if (!isChosenRefund(claimed.reason) || !claimed.ticketId) return;
  await restoreTicket(tx, eventId, claimed.ticketId);
  const { actionId } = claimed;
  if (actionId) await emailAboutAction(tx, { eventId, orderId }, { actionId, buyerEmail, at });
  if (cancelledAt) return enqueue(tx, 'refund-cancelled-event', { eventId });
  // The buyer of a member's refund learns of what is sent only.
  if (isBuyerWaiting || actionId) return;
  await emailBuyer(tx, 'refund-refused', { ...ref, buyerEmail, at });
  await emailHolder(tx, 'holder-ticket-restored', { ...ref, ticketId: claimed.ticketId, at });
}

/** One email about all that a member refunded together, once Stripe has answered for each. */
async function emailAboutAction(
  tx: Db,
  order: OrderRef,
  { actionId, buyerEmail, at }: { actionId: string; buyerEmail: string | null; at: Date },
): Promise<void> {
  const refunds = await refundsOfAction(tx, order, actionId);
  if (refunds.some(({ state }) => state === 'claimed') || refunds.every(({ state }) => state === 'refused')) return;
  await emailBuyer(tx, 'refunded-by-organizer', { eventId: order.eventId, refundId: actionId, buyerEmail, at });
}

async function emailBuyer(
  tx: Db,
  kind: 'refund-accepted' | 'refund-failed' | 'refund-refused' | 'comp-withdrawn' | 'refunded-by-organizer',
  { eventId, refundId, buyerEmail, at }: RefundRef & { buyerEmail: string | null; at: Date },
): Promise<void> {
  if (!buyerEmail) return;
  await queueEmail(tx, { kind, subjectId: refundId, toAddress: buyerEmail, params: { eventId }, now: at });
}

/** The holder of a transferred ticket isn't its payer, and learns what becomes of it. Nothing for other tickets. */
export async function emailHolder(
  tx: Db,
  kind: HolderEmailKind,
  { eventId, refundId, ticketId, at }: RefundRef & { ticketId: string; at: Date },
): Promise<void> {
  const ticket = await findHeldTicket(tx, { eventId, ticketId });
  const holder = ticket && ticket.transferredCount > 0 ? ticket.buyerEmail : null;
  if (!holder || isErased(holder)) return;
  await queueEmail(tx, { kind, subjectId: refundId, toAddress: holder, params: { eventId }, now: at });
}

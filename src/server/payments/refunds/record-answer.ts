/** Writes down what the card company says of one of our refunds. The caller's transaction holds the refund's order. */

import {
  recordExternalRefundFailed,
  recordRefund,
  recordRefundFailed,
  recordRefundMoved,
} from '#server/ledger/record-movements.ts';
import type { Db } from '#server/platform/database.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { ProcessorRefundState } from '#server/platform/ports/payment-processor.ts';
import { type LockedOrder, releaseStock, restoreTicket, setTicketsState } from './refunded-tickets.sql.ts';
import { changeRefund, lockClaimedRefund, type RefundRef } from './refunds.sql.ts';

/** Accepted. `refund` is null for a free ticket, which moves no money and is done at once. */
export async function recordSent(
  tx: Db,
  { eventId, now: at, buyerEmail }: LockedOrder,
  refundId: string,
  refund: ProcessorRefundState | null,
): Promise<void> {
  const ref = { eventId, refundId };
  const claimed = await lockClaimedRefund(tx, ref);
  if (!claimed) return;

  const { cents, reason, ticketId, ticketTypeId } = claimed;
  const done = refund ? {} : { movedAt: at, settledAt: at };
  await changeRefund(tx, ref, {
    state: 'sent',
    providerRefundId: refund?.providerRefundId ?? null,
    sentAt: at,
    ...done,
  });
  // Without a ticket the money was owed to its buyer from the moment it arrived.
  if (ticketId && ticketTypeId) {
    // The place is on sale again only now: a refund that came to nothing must not have sold it twice.
    await releaseStock(tx, eventId, ticketTypeId, 1);
    await setTicketsState(tx, eventId, [ticketId], 'refunded');
    await recordRefund(tx, { eventId, subjectId: refundId, cents, at });
  }
  if (refund) await recordProgress(tx, { ...ref, cents, movedAt: null, settledAt: null }, refund, at);
  // Buyers of a cancelled event have been told, once, about all their tickets.
  if (reason === 'requested') await tell(tx, 'refund-accepted', { ...ref, buyerEmail, at });
}

interface SentRefund extends RefundRef {
  cents: number;
  movedAt: Date | null;
  settledAt: Date | null;
}

/** A sent refund leaves our balance at once or later, and is called done at once or later. */
export async function recordProgress(tx: Db, refund: SentRefund, { hasMoved, state }: ProcessorRefundState, at: Date) {
  const { cents, movedAt, settledAt, ...ref } = refund;
  if (hasMoved && !movedAt) {
    await changeRefund(tx, ref, { movedAt: at });
    await recordRefundMoved(tx, { eventId: ref.eventId, subjectId: ref.refundId, cents, at });
  }
  if (state === 'succeeded' && !settledAt) await changeRefund(tx, ref, { settledAt: at });
}

/** The card company took it and could not deliver it. The ticket stays given back; a person has to find another way. */
export async function recordFailed(
  tx: Db,
  { eventId, now: at, buyerEmail }: LockedOrder,
  refund: SentRefund,
  { hasMoved, isExternal }: { hasMoved: boolean; isExternal: boolean },
): Promise<void> {
  const { refundId, cents } = refund;
  const record = isExternal ? recordExternalRefundFailed : recordRefundFailed;
  await changeRefund(tx, { eventId, refundId }, { state: 'failed', failedAt: at });
  // One that never left our balance is owed to the buyer as it was.
  if (hasMoved) await record(tx, { eventId, subjectId: refundId, cents, at });
  await tell(tx, 'refund-failed', { eventId, refundId, buyerEmail, at });
}

/** A no for good. It stays on record for the operator; what the buyer holds is a good ticket again. */
export async function recordRefused(
  tx: Db,
  { eventId, now: at, buyerEmail, cancelledAt }: LockedOrder,
  { refundId, words, isBuyerWaiting }: { refundId: string; words: string; isBuyerWaiting: boolean },
): Promise<void> {
  const ref = { eventId, refundId };
  const claimed = await lockClaimedRefund(tx, ref);
  if (!claimed) return;

  await changeRefund(tx, ref, { state: 'refused', refusal: words, endedAt: at });
  // Nobody gets into a cancelled event, so there the ticket stays as it is.
  if (claimed.reason !== 'requested' || !claimed.ticketId) return;
  await restoreTicket(tx, eventId, claimed.ticketId);
  if (cancelledAt) return enqueue(tx, 'refund-cancelled-event', { eventId });
  if (!isBuyerWaiting) await tell(tx, 'refund-refused', { ...ref, buyerEmail, at });
}

async function tell(
  tx: Db,
  kind: 'refund-accepted' | 'refund-failed' | 'refund-refused',
  { eventId, refundId, buyerEmail, at }: RefundRef & { buyerEmail: string | null; at: Date },
): Promise<void> {
  if (!buyerEmail) return;
  await queueEmail(tx, { kind, subjectId: refundId, toAddress: buyerEmail, params: { eventId }, now: at });
}

/** Sends a claimed refund to Stripe. Idempotent. */
import type { OrderRef } from '#domain/order.ts';
import { openRestore } from '#server/payments/restores/restores.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { RefundAnswer } from '#server/platform/ports/payment-processor.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { applyRefunds } from './apply-refunds.ts';
import { findOrphanedRefund } from './find-orphaned.ts';
import { recordRefused, recordSent } from './record-answer.ts';
import { type LockedOrder, lockOrderForRefund } from './refund-locks.sql.ts';
import { type RefundRef, refundAndTicketState, startNextAttempt, startSending } from './refunds.sql.ts';

/** `delayed`: it is sent later. */
export type RefundResult = 'done' | 'delayed' | 'disputed' | 'refused' | 'void';

type Started = NonNullable<Awaited<ReturnType<typeof startSending>>>;
type SendDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;

/** `isBuyerWaiting`: the response shows the denial, so no email is sent about it. */
export async function sendRefund(
  deps: SendDeps,
  ref: RefundRef,
  { isBuyerWaiting = false } = {},
): Promise<RefundResult> {
  if (await openRestore(deps.db)) return 'delayed';
  const started = await startSending(deps.db, ref);
  if (!started) return 'done';

  const { orderId, paymentId, cents } = started;
  const order = { eventId: ref.eventId, orderId };
  if (cents === 0) {
    await withLockedOrder(deps, order, (tx, locked) => recordSent(tx, locked, ref.refundId, null));
    return 'done';
  }
  if (!paymentId) throw new Error(`the order of refund ${ref.refundId} has no payment`);

  const answer = await callProcessor(deps, ref, { ...started, paymentId });
  if (!answer.denial) {
    await withLockedOrder(deps, order, (tx, locked) => recordSent(tx, locked, ref.refundId, answer.refund));
    return 'done';
  }
  const { message: reason, isDisputed } = answer.denial;
  // Stripe may refuse because the money was already refunded: by a call whose response was lost, or in the dashboard.
  const reading = isDisputed ? null : await deps.paymentProcessor.readPayment(paymentId);
  if (reading) await applyRefunds(deps, order, reading);
  await withLockedOrder(deps, order, (tx, locked) => recordRefused(tx, locked, { ...ref, reason, isBuyerWaiting }));
  return resultOf(deps, ref, { reason, isDisputed });
}

/** For a refund whose claim waits for the answer: it is claimed already, so an outage of Stripe only delays it. */
export async function sendNow(deps: SendDeps, claimed: RefundRef): Promise<RefundResult> {
  try {
    return await sendRefund(deps, claimed, { isBuyerWaiting: true });
  } catch (error) {
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    deps.log.warn({ err: error, ...claimed }, 'could not send a refund yet');
    return 'delayed';
  }
}

async function resultOf(
  { db, log }: SendDeps,
  ref: RefundRef,
  { reason, isDisputed }: { reason: string; isDisputed: boolean },
): Promise<RefundResult> {
  const refund = await refundAndTicketState(db, ref);
  if (refund?.state !== 'refused') return 'done';
  log.error({ ...ref, reason }, 'Stripe refused a refund');
  if (refund.ticketState === 'void') return 'void';
  return isDisputed ? 'disputed' : 'refused';
}

async function callProcessor(
  { db, paymentProcessor }: SendDeps,
  ref: RefundRef,
  started: Started & { paymentId: string },
): Promise<RefundAnswer> {
  const { orderId, ticketId, reason, paymentId, cents: amountCents, totalCents, attempt, isTried } = started;
  try {
    const claim = { eventId: ref.eventId, orderId, ticketId, reason };
    const isPartial = amountCents < totalCents;
    return await paymentProcessor.refund({
      ...ref,
      orderId,
      ticketId,
      paymentId,
      amountCents,
      attempt,
      maybeSent: isTried,
      findOrphaned: isPartial ? (refunds) => findOrphanedRefund(db, claim, refunds) : null,
    });
  } catch (error) {
    if (error instanceof ProcessorUnreachable && error.isFinal) await startNextAttempt(db, ref, attempt);
    throw error;
  }
}

async function withLockedOrder(
  { db }: SendDeps,
  order: OrderRef,
  work: (tx: Db, locked: LockedOrder) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await lockOrderForRefund(tx, order);
    if (locked) await work(tx, locked);
  });
}

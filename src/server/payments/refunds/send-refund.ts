/** Gives claimed money back, once, however often and from wherever this is called. */

import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { RefundAnswer } from '#server/platform/ports/payment-processor.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { applyRefunds } from './apply-refunds.ts';
import { findOrphaned } from './find-orphaned.ts';
import { recordRefused, recordSent } from './record-answer.ts';
import { type LockedOrder, lockOrderForRefund } from './refunded-tickets.sql.ts';
import { type RefundRef, raiseAttempt, refundAndTicket, startSending } from './refunds.sql.ts';

export type RefundOutcome = 'done' | 'disputed' | 'refused' | 'void';

type Started = NonNullable<Awaited<ReturnType<typeof startSending>>>;
type SendDeps = Pick<Deps, 'db' | 'cards' | 'log'>;

/** A buyer who waits for the answer is told of a refusal there; anyone else by mail. */
export async function sendRefund(
  deps: SendDeps,
  ref: RefundRef,
  { isBuyerWaiting = false } = {},
): Promise<RefundOutcome> {
  const started = await startSending(deps.db, ref);
  if (!started) return 'done';

  const { orderId, paymentId, cents } = started;
  const order = { eventId: ref.eventId, orderId };
  if (cents === 0) {
    await inOrder(deps, order, (tx, locked) => recordSent(tx, locked, ref.refundId, null));
    return 'done';
  }
  if (!paymentId) throw new Error(`refund ${ref.refundId} is of an order without a payment`);

  const answer = await ask(deps, ref, { ...started, paymentId });
  if (!answer.refusal) {
    await inOrder(deps, order, (tx, locked) => recordSent(tx, locked, ref.refundId, answer.refund));
    return 'done';
  }
  const { words, isDisputed } = answer.refusal;
  // A no may mean that the money went back before: by a call whose answer was lost, or in the card company's dashboard.
  const reading = isDisputed ? null : await deps.cards.readPayment(paymentId);
  if (reading) await applyRefunds(deps, order, reading);
  await inOrder(deps, order, (tx, locked) => recordRefused(tx, locked, { ...ref, words, isBuyerWaiting }));
  return outcomeOf(deps, ref, { words, isDisputed });
}

async function outcomeOf(
  { db, log }: SendDeps,
  ref: RefundRef,
  { words, isDisputed }: { words: string; isDisputed: boolean },
): Promise<RefundOutcome> {
  const refund = await refundAndTicket(db, ref);
  if (refund?.state !== 'refused') return 'done';
  log.error({ ...ref, words }, 'the card company refused a refund');
  if (refund.ticketState === 'void') return 'void';
  return isDisputed ? 'disputed' : 'refused';
}

async function ask(
  { db, cards }: SendDeps,
  ref: RefundRef,
  started: Started & { paymentId: string },
): Promise<RefundAnswer> {
  const { orderId, ticketId, reason, paymentId, cents: amountCents, totalCents, attempt, isTried } = started;
  try {
    const claim = { eventId: ref.eventId, orderId, ticketId, reason };
    const isPart = amountCents < totalCents;
    return await cards.refund({
      ...ref,
      orderId,
      ticketId,
      paymentId,
      amountCents,
      attempt,
      maybeSent: isTried,
      findForgotten: isPart ? (made) => findOrphaned(db, claim, made) : null,
    });
  } catch (error) {
    if (error instanceof ProcessorUnreachable && error.isFinal) await raiseAttempt(db, ref, attempt);
    throw error;
  }
}

async function inOrder(
  { db }: SendDeps,
  order: OrderRef,
  work: (tx: Db, locked: LockedOrder) => Promise<void>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await lockOrderForRefund(tx, order);
    if (locked) await work(tx, locked);
  });
}

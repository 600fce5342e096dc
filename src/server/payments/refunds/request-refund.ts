/** Refunds a ticket to a buyer who knows its confirmation number. */

import { denyRefund, refundableEnd } from '#domain/settlement.ts';
import { lockOrder } from '#server/orders/core/orders.sql.ts';
import { checkInUndoneAt, lockTicket, startRefund } from '#server/orders/core/tickets.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { hasOpenDispute } from './has-open-dispute.ts';
import { lockEventForRefund, orderOfTicket } from './refund-locks.sql.ts';
import { hashOfToken, refundToken } from './refund-token.ts';
import { insertRefunds, type RefundRef, refundableCents } from './refunds.sql.ts';
import { requireFewRefunds } from './repeat-refunds.ts';
import { type RefundResult, sendRefund } from './send-refund.ts';

interface RefundRequest {
  eventId: string;
  confirmationCode: string;
  ip: string;
}

type RefundDeps = Pick<
  Deps,
  'db' | 'paymentProcessor' | 'rateLimiter' | 'appSecret' | 'refundDelayMinutes' | 'takesRealMoney' | 'log'
>;

const MINUTE = 60 * 1000;

interface AcceptedRefund {
  cents: number;
  /** Delayed, and can still be stopped. */
  isDelayed: boolean;
}

export async function requestRefund(deps: RefundDeps, request: RefundRequest): Promise<AcceptedRefund> {
  const attempts = attemptsOf(request);
  await takeSlot(deps.rateLimiter, attempts);
  const claim = await inTransaction(deps.db, (tx) => claimRefund(deps, tx, request));
  if (claim === 'unknown') {
    await countFailure(deps.rateLimiter, attempts);
    throw new AppError('refund.unknown-ticket');
  }
  const { cents, claimed } = claim;
  const isDelayed = claimed !== null && deps.refundDelayMinutes > 0;
  if (!claimed || isDelayed) return { cents, isDelayed };

  // Outside the transaction: a slow Stripe call must not hold row locks.
  const result = await sendNow(deps, claimed);
  if (result === 'disputed' || result === 'void') throw new AppError(`refund.${result}`);
  if (result === 'refused') throw new AppError('refund.not-accepted');
  return { cents, isDelayed };
}

interface Claimed {
  cents: number;
  /** Null if the cancelled event refunds the ticket anyway. */
  claimed: RefundRef | null;
}

async function claimRefund(
  deps: RefundDeps,
  tx: Db,
  { eventId, confirmationCode, ip }: RefundRequest,
): Promise<Claimed | 'unknown'> {
  const event = await lockEventForRefund(tx, eventId);
  const orderId = event && (await orderOfTicket(tx, eventId, confirmationCode));
  if (!orderId) return 'unknown';
  const order = await lockOrder(tx, { eventId, orderId });
  const ticket = order && (await lockTicket(tx, eventId, confirmationCode));
  if (!ticket) return 'unknown';
  // A cancelled event refunds every ticket automatically, including scanned ones.
  if (event.cancelledAt && ticket.state !== 'void') return { cents: ticket.priceCents, claimed: null };

  if (order.compBatchId !== null) throw new AppError('refund.comp');
  const eventEndsAt = refundableEnd(event.latestEndsAt, await checkInUndoneAt(tx, eventId, ticket.id));
  const denial = denyRefund({ state: ticket.state, eventEndsAt }, event.now);
  if (denial) throw new AppError(`refund.${denial}`);
  if (event.payoutRequestedAt) throw new AppError('refund.window-closed');
  // Stripe would refuse it, and with a delayed refund the buyer would learn about it too late.
  if (await hasOpenDispute(tx, { eventId, orderId })) throw new AppError('refund.disputed');
  if ((await refundableCents(tx, { eventId, orderId })) < ticket.priceCents)
    throw new AppError('refund.partly-refunded');

  const { id: ticketId, priceCents: cents } = ticket;
  await requireFewRefunds(deps, tx, { eventId, orderId }, cents);
  const { appSecret } = deps;
  await recordAuditEvent(tx, {
    action: 'request-refund',
    subject: ticketId,
    eventId,
    at: event.now,
    from: { ip, appSecret },
  });
  await startRefund(tx, eventId, [ticketId]);
  const { buyerEmail } = order;
  return {
    cents,
    claimed: await insertClaim(deps, tx, { eventId, orderId, ticketId, cents, at: event.now, buyerEmail }),
  };
}

interface Claim {
  eventId: string;
  orderId: string;
  ticketId: string;
  cents: number;
  at: Date;
  buyerEmail: string | null;
}

async function insertClaim(
  { appSecret, refundDelayMinutes }: RefundDeps,
  tx: Db,
  { eventId, orderId, ticketId, cents, at, buyerEmail }: Claim,
): Promise<RefundRef> {
  const refundId = newId();
  const linkHash = hashOfToken(refundToken(appSecret, refundId));
  const sendAfter = new Date(at.getTime() + refundDelayMinutes * MINUTE);
  await insertRefunds(tx, [
    { eventId, id: refundId, orderId, ticketId, cents, reason: 'requested', createdAt: at, sendAfter, linkHash },
  ]);
  if (refundDelayMinutes > 0 && buyerEmail) {
    const email = {
      kind: 'refund-requested',
      subjectId: refundId,
      toAddress: buyerEmail,
      params: { eventId },
    } as const;
    await queueEmail(tx, { ...email, now: at });
  }
  return { eventId, refundId };
}

/** Counts only wrong numbers, so a correct one works even while others are guessing. */
function attemptsOf({ eventId, ip }: RefundRequest): Attempt[] {
  return [
    { limit: 'refund-code', key: ip },
    { limit: 'refund-code-event', key: eventId, queueKey: `${ip} ${eventId}` },
  ];
}

/** The refund is already claimed, so a Stripe outage only delays it. */
async function sendNow(deps: RefundDeps, claimed: RefundRef): Promise<RefundResult> {
  try {
    return await sendRefund(deps, claimed, { isBuyerWaiting: true });
  } catch (error) {
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    deps.log.warn({ err: error, ...claimed }, 'could not send a refund yet');
    return 'done';
  }
}

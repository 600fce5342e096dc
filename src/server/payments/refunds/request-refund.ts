/** Refunds a ticket to a buyer who knows its confirmation number, or who has the order's page. */

import { denyRefund, refundableEnd } from '#domain/settlement.ts';
import { findOrderTickets, lockOrder } from '#server/orders/core/orders.sql.ts';
import { checkInUndoneAt, lockTicket, startRefund } from '#server/orders/core/tickets.sql.ts';
import { findFormerNumber } from '#server/orders/core/transfers.sql.ts';
import { orderOfLink } from '#server/orders/find-by-link.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { hasOpenDispute } from './has-open-dispute.ts';
import { emailHolder } from './record-answer.ts';
import { lockEventForRefund, orderOfTicket } from './refund-locks.sql.ts';
import { hashOfToken, refundToken } from './refund-token.ts';
import { insertRefunds, type RefundRef, refundableCents } from './refunds.sql.ts';
import { requireFewRefunds } from './repeat-refunds.ts';
import { sendNow } from './send-refund.ts';

interface RefundByNumber {
  eventId: string;
  confirmationCode: string;
  ip: string;
}

/** By the link to its order, which the payer has. */
interface RefundByLink {
  token: string;
  /** In the order, from 1. */
  position: number;
  ip: string;
}

type RefundDeps = Pick<
  Deps,
  'db' | 'paymentProcessor' | 'rateLimiter' | 'appSecret' | 'refundDelayMinutes' | 'takesRealMoney' | 'log'
>;

const MINUTE = 60 * 1000;

export interface AcceptedRefund {
  cents: number;
  /** Delayed, and can still be stopped. */
  isDelayed: boolean;
}

export async function requestRefund(deps: RefundDeps, request: RefundByNumber): Promise<AcceptedRefund> {
  const attempts = attemptsOf(request);
  await takeSlot(deps.rateLimiter, attempts);
  const claim = await inTransaction(deps.db, (tx) => claimByNumber(deps, tx, request));
  if (claim === 'unknown') {
    await countFailure(deps.rateLimiter, attempts);
    throw new AppError('refund.unknown-ticket');
  }
  return sendClaimed(deps, claim);
}

/** The only way to refund a transferred ticket: its holder has the number, but the money is the payer's. */
export async function refundTicketOfOrder(deps: RefundDeps, request: RefundByLink): Promise<AcceptedRefund> {
  const claim = await inTransaction(deps.db, (tx) => claimByLink(deps, tx, request));
  if (claim === 'unknown') throw new AppError('checkout.unknown');
  return sendClaimed(deps, claim);
}

async function sendClaimed(deps: RefundDeps, { cents, claimed }: Claimed): Promise<AcceptedRefund> {
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

async function claimByNumber(
  deps: RefundDeps,
  tx: Db,
  { eventId, confirmationCode, ip }: RefundByNumber,
): Promise<Claimed | 'unknown'> {
  const event = await lockEventForRefund(tx, eventId);
  const orderId = event && (await orderOfTicket(tx, eventId, confirmationCode));
  if (!orderId) {
    if (event && (await findFormerNumber(tx, eventId, confirmationCode))) throw new AppError('refund.transferred');
    return 'unknown';
  }
  const order = await lockOrder(tx, { eventId, orderId });
  const ticket = order && (await lockTicket(tx, eventId, confirmationCode));
  if (!ticket) return 'unknown';
  return claimRefund(deps, tx, { event, eventId, order, ticket, ip, isPayer: false });
}

async function claimByLink(
  deps: RefundDeps,
  tx: Db,
  { token, position, ip }: RefundByLink,
): Promise<Claimed | 'unknown'> {
  const found = await orderOfLink({ ...deps, db: tx }, token);
  const event = found && (await lockEventForRefund(tx, found.eventId));
  const order = event && (await lockOrder(tx, found));
  if (order?.linkVersion !== found?.linkVersion || !found || !event || !order) return 'unknown';
  const { eventId } = found;
  const chosen = (await findOrderTickets(tx, found)).find((ticket) => ticket.position === position);
  // Under the order's lock no ticket of it is transferred.
  const ticket = chosen && (await lockTicket(tx, eventId, chosen.confirmationNumber));
  if (!ticket) throw new AppError('refund.unknown-ticket');
  return claimRefund(deps, tx, { event, eventId, order, ticket, ip, isPayer: true });
}

interface TicketToRefund {
  eventId: string;
  event: NonNullable<Awaited<ReturnType<typeof lockEventForRefund>>>;
  order: NonNullable<Awaited<ReturnType<typeof lockOrder>>>;
  ticket: NonNullable<Awaited<ReturnType<typeof lockTicket>>>;
  ip: string;
  isPayer: boolean;
}

async function claimRefund(
  deps: RefundDeps,
  tx: Db,
  { eventId, event, order, ticket, ip, isPayer }: TicketToRefund,
): Promise<Claimed> {
  const { id: orderId } = order;
  // A cancelled event refunds every ticket automatically, including scanned ones.
  if (event.cancelledAt && ticket.state !== 'void') return { cents: ticket.priceCents, claimed: null };

  if (order.compBatchId !== null) throw new AppError('refund.comp');
  const eventEndsAt = refundableEnd(event.latestEndsAt, await checkInUndoneAt(tx, eventId, ticket.id));
  const denial = denyRefund({ state: ticket.state, eventEndsAt }, event.now);
  if (denial) throw new AppError(`refund.${denial}`);
  if (ticket.transferredCount > 0 && !isPayer) throw new AppError('refund.transferred');
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
  const claimed = await insertClaim(deps, tx, { eventId, orderId, ticketId, cents, at: event.now, buyerEmail });
  if (deps.refundDelayMinutes > 0)
    await emailHolder(tx, 'holder-refund-requested', { ...claimed, ticketId, at: event.now });
  return { cents, claimed };
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
function attemptsOf({ eventId, ip }: RefundByNumber): Attempt[] {
  return [
    { limit: 'refund-code', key: ip },
    { limit: 'refund-code-event', key: eventId, queueKey: `${ip} ${eventId}` },
  ];
}

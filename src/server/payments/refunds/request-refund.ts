/** A buyer gives a ticket back, with its confirmation number and nothing else. */
import { refundErrors } from '#contract/refunds.ts';
import { denyRefund } from '#domain/settlement.ts';
import { isPaidOut } from '#server/events/is-paid-out.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import type { Attempt } from '#server/platform/ports/rate-limiter.ts';
import { countFailure, takeSlot } from '#server/platform/rate-limit.ts';
import { hasOpenDispute } from './has-open-dispute.ts';
import { hashOfToken, refundToken } from './refund-token.ts';
import { lockEventForRefund, lockOrder, lockTicket, orderOfTicket, setTicketsState } from './refunded-tickets.sql.ts';
import { centsLeftOf, insertRefunds, type RefundRef } from './refunds.sql.ts';
import { type RefundOutcome, sendRefund } from './send-refund.ts';

interface RefundRequest {
  eventId: string;
  confirmationCode: string;
  ip: string;
}

type RefundDeps = Pick<Deps, 'db' | 'cards' | 'tries' | 'appSecret' | 'refundDelayMinutes' | 'log'>;

const MINUTE = 60 * 1000;

interface AcceptedRefund {
  /** What goes back. */
  cents: number;
  /** Waits, and can still be taken back. */
  isHeld: boolean;
}

export async function requestRefund(deps: RefundDeps, request: RefundRequest): Promise<AcceptedRefund> {
  const guesses = attemptsOf(request);
  await takeSlot(deps.tries, guesses);
  const claim = await inTransaction(deps.db, (tx) => claimRefund(deps, tx, request));
  if (claim === 'unknown') {
    await countFailure(deps.tries, guesses);
    throw notFound(refundErrors['unknown-ticket']);
  }
  const { cents, claimed } = claim;
  const isHeld = claimed !== null && deps.refundDelayMinutes > 0;
  if (!claimed || isHeld) return { cents, isHeld };

  // Outside the transaction: a slow card company must not hold the ticket's row.
  const outcome = await sendNow(deps, claimed);
  if (outcome === 'disputed' || outcome === 'void') throw conflict(refundErrors[outcome]);
  if (outcome === 'refused') throw conflict(refundErrors['not-accepted']);
  return { cents, isHeld };
}

interface Claimed {
  cents: number;
  /** Null where the refund is under way without being asked for. */
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
  // A cancelled event refunds everyone by itself, whoever asks and whoever was already in.
  if (event.cancelledAt && ticket.state !== 'void') return { cents: ticket.priceCents, claimed: null };

  const obstacle = denyRefund({ state: ticket.state, eventEndsAt: event.latestEndsAt }, event.now);
  if (obstacle) throw conflict(refundErrors[obstacle]);
  if (await isPaidOut({ db: tx }, eventId)) throw conflict(refundErrors['window-closed']);
  // The card company would say no, and with a delay the buyer would hear of it too late.
  if (await hasOpenDispute(tx, { eventId, orderId })) throw conflict(refundErrors.disputed);
  if ((await centsLeftOf(tx, { eventId, orderId })) < ticket.priceCents)
    throw conflict(refundErrors['partly-refunded']);

  const { id: ticketId, priceCents: cents } = ticket;
  const { appSecret } = deps;
  await recordAuditEvent(tx, {
    act: 'request-refund',
    actorId: null,
    subject: ticketId,
    eventId,
    at: event.now,
    from: { ip, appSecret },
  });
  await setTicketsState(tx, eventId, [ticketId], 'refunding');
  const { buyerEmail } = order;
  return { cents, claimed: await claim(deps, tx, { eventId, orderId, ticketId, cents, at: event.now, buyerEmail }) };
}

interface Claim {
  eventId: string;
  orderId: string;
  ticketId: string;
  cents: number;
  at: Date;
  buyerEmail: string | null;
}

async function claim(
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
    const mail = { kind: 'refund-requested', subjectId: refundId, toAddress: buyerEmail, params: { eventId } } as const;
    await queueEmail(tx, { ...mail, now: at });
  }
  return { eventId, refundId };
}

/** Only wrong numbers are counted: whoever has a right one is served, however many others are guessing. */
function attemptsOf({ eventId, ip }: RefundRequest): Attempt[] {
  return [
    { budget: 'refund-code', key: ip },
    { budget: 'refund-code-event', key: eventId, line: `${ip} ${eventId}` },
  ];
}

/** The refund is claimed by now, so an outage of the card company delays it and changes nothing for the buyer. */
async function sendNow(deps: RefundDeps, claimed: RefundRef): Promise<RefundOutcome> {
  try {
    return await sendRefund(deps, claimed, { isBuyerWaiting: true });
  } catch (error) {
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    deps.log.warn({ err: error, ...claimed }, 'a refund could not be sent yet');
    return 'done';
  }
}

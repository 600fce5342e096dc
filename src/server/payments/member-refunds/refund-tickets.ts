/** A member refunds whole tickets of one order: all or none are claimed, then each is sent like a refund that its buyer requested. */
import type { refundTickets as endpoint } from '#contract/app/sales/orders.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { dollarsOf } from '#domain/money.ts';
import { denyRefund, type RefundDenial, refundableEnd } from '#domain/settlement.ts';
import { ticketsRefunded } from '#messages/sales/orders.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockOrder } from '#server/orders/core/orders.sql.ts';
import { checkInUndoneAt, findTicket, lockTicketsOf, startRefund } from '#server/orders/core/tickets.sql.ts';
import { hasOpenDispute } from '#server/payments/refunds/has-open-dispute.ts';
import { lockEventForRefund } from '#server/payments/refunds/refund-locks.sql.ts';
import { insertRefunds, refundableCents } from '#server/payments/refunds/refunds.sql.ts';
import { type RefundResult, sendNow } from '#server/payments/refunds/send-refund.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';

type RefundDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;

interface Claimed {
  refundId: string;
  cents: number;
}

export async function refundTickets(
  deps: RefundDeps,
  actor: Actor,
  { eventId, ticketIds, reason }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  await authorizeEvent(deps, actor, 'ticket.refund', eventId);
  const wanted = { eventId, ticketIds: [...new Set(ticketIds)], note: reason || null };
  const claims = await inTransaction(deps.db, (tx) => claimTickets(tx, actor, wanted));

  // Outside the transaction: slow Stripe calls must not hold row locks.
  const answers: (Claimed & { result: RefundResult })[] = [];
  for (const claim of claims) {
    // Of a Stripe that doesn't answer, the job asks again for the rest.
    const isDown = answers.at(-1)?.result === 'delayed';
    answers.push({ ...claim, result: isDown ? 'delayed' : await sendNow(deps, { eventId, refundId: claim.refundId }) });
  }
  return replyTo(answers);
}

function replyTo(answers: readonly (Claimed & { result: RefundResult })[]): ReplyOf<typeof endpoint> {
  const taken = answers.filter(({ result }) => result === 'done' || result === 'delayed');
  const first = answers[0]?.result;
  if (taken.length === 0) {
    if (first === 'disputed' || first === 'void') throw new AppError(`refund.${first}`);
    throw new AppError('refund.refused-by-stripe');
  }
  const refunded = taken.length;
  const isDelayed = taken.some(({ result }) => result === 'delayed');
  return {
    msg: ticketsRefunded({ refunded, refused: answers.length - refunded, isDelayed }),
    refunded,
    amount: dollarsOf(taken.reduce((sum, { cents }) => sum + cents, 0)),
  };
}

interface Wanted {
  eventId: string;
  ticketIds: readonly string[];
  note: string | null;
}

async function claimTickets(tx: Db, actor: Actor, { eventId, ticketIds, note }: Wanted): Promise<Claimed[]> {
  const [firstId = ''] = ticketIds;
  const event = await lockEventForRefund(tx, eventId);
  const found = event && (await findTicket(tx, { eventId, ticketId: firstId }));
  const order = found && (await lockOrder(tx, { eventId, orderId: found.orderId }));
  if (!event || !order) throw new AppError('guests.unknown');
  const { id: orderId } = order;
  const tickets = await lockTicketsOf(tx, { eventId, orderId }, ticketIds);
  if (tickets.length < ticketIds.length) throw new AppError('guests.unknown');
  if (event.cancelledAt) throw new AppError('refund.event-cancelled');
  if (order.compBatchId !== null) throw new AppError('refund.guest-list');
  if (event.payoutRequestedAt) throw new AppError('refund.window-closed');
  await requireRefundable(tx, eventId, tickets, event);
  // Stripe would refuse it.
  if (await hasOpenDispute(tx, { eventId, orderId })) throw new AppError('refund.disputed');
  const totalCents = tickets.reduce((sum, { priceCents }) => sum + priceCents, 0);
  if ((await refundableCents(tx, { eventId, orderId })) < totalCents) throw new AppError('refund.less-left');

  const at = event.now;
  const claims = tickets.map(({ id: ticketId, priceCents: cents }) => ({ refundId: newId(), ticketId, cents }));
  const actionId = claims[0]?.refundId ?? null;
  await startRefund(tx, eventId, ticketIds);
  await insertRefunds(
    tx,
    claims.map(({ refundId: id, ...claim }) => ({
      eventId,
      id,
      orderId,
      ...claim,
      reason: 'organizer',
      actionId,
      note,
      createdAt: at,
      sendAfter: at,
    })),
  );
  const params = { tickets: tickets.length, cents: totalCents };
  await recordAuditEvent(tx, { action: 'refund-tickets', by: actor, subject: orderId, eventId, params, at });
  return claims;
}

type Ticket = Awaited<ReturnType<typeof lockTicketsOf>>[number];
type Event = NonNullable<Awaited<ReturnType<typeof lockEventForRefund>>>;

/** All of them, or the answer names each that isn't. */
async function requireRefundable(tx: Db, eventId: string, tickets: readonly Ticket[], event: Event): Promise<void> {
  const denied: { number: string; denial: RefundDenial }[] = [];
  for (const { id, state, confirmationNumber } of tickets) {
    const eventEndsAt = refundableEnd(event.latestEndsAt, await checkInUndoneAt(tx, eventId, id));
    const denial = denyRefund({ state, eventEndsAt }, event.now);
    if (denial) denied.push({ number: confirmationNumber, denial });
  }
  const [first] = denied;
  if (!first) return;
  if (denied.every(({ denial }) => denial === first.denial) && denied.length === tickets.length)
    throw new AppError(`refund.${first.denial}`);
  throw new AppError('refund.some-denied', { numbers: denied.map(({ number }) => number).join(', ') });
}

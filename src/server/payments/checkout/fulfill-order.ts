/**
 * The only way from a paid order to its tickets. The webhook, the confirmation page, the settling job and the
 * reconciler all come here, at any time and any number of times; the locked order row lets one of them through.
 */
import type { UnfulfillableReason } from '#contract/checkout-words.ts';
import type { OrderRef } from '#domain/order.ts';
import { denyPayment, type PaymentDenial } from '#domain/payment.ts';
import { isPaidOut } from '#server/events/is-paid-out.ts';
import { recordCardFee, recordSale, recordUnfulfillableSale } from '#server/ledger/record-movements.ts';
import { completeOrder } from '#server/orders/complete-order.ts';
import { issueTickets } from '#server/orders/issue-tickets.ts';
import { findOrderById, lockEventOnSale, lockOrder, lockStock, setOrderState } from '#server/orders/orders.sql.ts';
import { releaseLines, reserveLines } from '#server/orders/reserve-lines.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { returnPayment } from './return-payment.ts';
import { setAsideForReview } from './review-order.ts';

interface Payment extends OrderRef {
  cents: number;
  at: Date;
}

type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;
type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockEventOnSale>>>;

export async function fulfillOrder(
  deps: Pick<Deps, 'db' | 'log'>,
  order: OrderRef,
  session: CheckoutSession,
): Promise<void> {
  const isSettled = await completeOrder(deps, order, session);
  if (!isSettled) await fulfillAlone(deps, order, session);
}

/** What completing many at a time must never differ from, and what decides wherever there is something to decide. */
export async function fulfillAlone(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { eventId, orderId }: OrderRef,
  session: CheckoutSession,
): Promise<void> {
  const why = await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    if (!event) return null;
    const isOver = event.cancelledAt !== null || (await isPaidOut({ db: tx }, eventId));
    await lockStockToMove(tx, { eventId, orderId }, isOver);
    const order = await lockOrder(tx, { eventId, orderId });
    if (!order) return null;
    // A second session that names an order is no payment of it; reconciling shows where the money is.
    if (order.sessionId !== null && order.sessionId !== session.sessionId) return 'another session';

    const obstacle = denyPayment({ orderId, totalCents: order.totalCents }, session);
    const payment = { eventId, orderId, cents: session.totalCents, at: event.now };
    const isNew = order.state === 'held' || order.state === 'expired';
    if (isNew) await decide(tx, { event, isOver, order, payment, session, obstacle });

    // The fee is often known only after the payment, so it is looked for on every visit.
    if (session.feeCents !== null && session.currency === 'usd')
      await recordCardFee(tx, movementOf(payment, session.feeCents));
    return order.state === 'quarantined' ? null : obstacle;
  });
  if (why) log.error({ orderId, sessionId: session.sessionId, why }, 'a paid session does not match its order');
}

/**
 * A held order keeps the stock that it has, and a settled one changes nothing: a sale must not wait for the row that all
 * buyers want. Should its hold end before it is locked, the stock is held after it: then a deadlock is possible, and ends
 * with the transaction's repetition.
 */
async function lockStockToMove(tx: Db, ref: OrderRef, isOver: boolean): Promise<void> {
  const order = await findOrderById(tx, ref);
  if (order?.state === 'expired' || (order?.state === 'held' && isOver)) await lockStock(tx, ref);
}

interface Decision {
  event: LockedEvent;
  /** Nothing is sold any more. */
  isOver: boolean;
  order: LockedOrder;
  payment: Payment;
  session: CheckoutSession;
  obstacle: PaymentDenial | null;
}

async function decide(tx: Db, { event, isOver, order, payment, session, obstacle }: Decision): Promise<void> {
  const isHeld = order.state === 'held';
  if (obstacle) return setAside(tx, { order, payment, session, obstacle });

  if (!isOver && (isHeld || (await reserveLines(tx, payment)))) return sell(tx, payment, session);
  if (isHeld) await releaseLines(tx, payment);
  await returnMoney(tx, payment, session, unfulfillableReason(event));
}

type Obstructed = Pick<Decision, 'order' | 'payment' | 'session'> & { obstacle: PaymentDenial };

async function setAside(tx: Db, { order, payment, session, obstacle }: Obstructed): Promise<void> {
  const isKept = order.state === 'held' || (await reserveLines(tx, payment));
  if (isKept) return setAsideForReview(tx, payment, session, obstacle);
  // Without stock there is nothing to decide about: it goes back like any late payment.
  if (session.currency === 'usd') await returnMoney(tx, payment, session, 'payment-differs');
}

function unfulfillableReason({ cancelledAt, endsAt, now }: LockedEvent): UnfulfillableReason {
  if (cancelledAt) return 'event-cancelled';
  return endsAt <= now ? 'event-ended' : 'sold-out';
}

async function sell(tx: Db, payment: Payment, session: CheckoutSession): Promise<void> {
  const buyerEmail = session.buyerEmail ?? '';
  await setOrderState(tx, payment, {
    state: 'paid',
    // Known here at the latest: the process may have ended before it could be written down.
    sessionId: session.sessionId,
    paymentId: session.paymentId,
    buyerEmail,
    paidAt: payment.at,
  });
  await issueTickets(tx, payment, buyerEmail, payment.at);
  await recordSale(tx, movementOf(payment));
  await queueEmail(tx, {
    kind: 'tickets',
    subjectId: payment.orderId,
    toAddress: buyerEmail,
    params: { eventId: payment.eventId },
    now: payment.at,
  });
}

async function returnMoney(
  tx: Db,
  payment: Payment,
  { sessionId, paymentId, buyerEmail }: CheckoutSession,
  reason: UnfulfillableReason,
): Promise<void> {
  await setOrderState(tx, payment, { sessionId, paymentId, buyerEmail, receivedCents: payment.cents });
  await recordUnfulfillableSale(tx, movementOf(payment));
  await returnPayment(tx, { ...payment, buyerEmail, reason });
}

function movementOf({ eventId, orderId, cents, at }: Payment, amountCents = cents) {
  return { eventId, subjectId: orderId, cents: amountCents, at };
}

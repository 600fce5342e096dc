/**
 * The only path from a paid order to its tickets. The webhook, the confirmation page, the settlement job and
 * reconciliation all call it. It is idempotent: the locked order row lets one of them through.
 */
import type { OrderRef } from '#domain/order.ts';
import { denyPayment, type PaymentDenial, type UnfulfillableReason } from '#domain/payment.ts';
import { recordCardFee, recordUnfulfillableSale } from '#server/ledger/record-movements.ts';
import { completeSales, type Sale, sellOrder } from '#server/orders/core/complete.sql.ts';
import {
  findOrderById,
  findSessionId,
  lockEventOnSale,
  lockOrder,
  setOrderState,
} from '#server/orders/core/orders.sql.ts';
import { lockStock, releaseOrder, reserveOrders } from '#server/orders/core/stock.sql.ts';
import { releaseReservation } from '#server/orders/release-reservation.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { type Db, inTransaction, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { markUnfulfillable } from './mark-unfulfillable.ts';
import { holdForReview } from './review-order.ts';

/** A larger batch saves nothing more and locks its orders for longer. */
const MAX_BATCH = 128;

const batcherOf = perDatabase((db) =>
  openBatcher<Sale, boolean>(
    {
      name: 'complete',
      one: async (sale) => (await completeSales(db, [sale]))[0] ?? false,
      many: (sales) => completeSales(db, sales),
    },
    { maxBatchSize: MAX_BATCH },
  ),
);

interface Payment extends OrderRef {
  cents: number;
  at: Date;
}

type LockedOrder = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;
type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockEventOnSale>>>;

type SettleDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;

/** Syncs an order with its checkout session at Stripe. Returns the payment page's state, or `null` if the order has none. */
export async function settleOrder(deps: SettleDeps, order: OrderRef): Promise<CheckoutSession['state'] | null> {
  const sessionId = await findSessionId(deps.db, order);
  const session = sessionId && (await deps.paymentProcessor.readCheckout(sessionId));
  if (!session) return null;
  await applySession(deps, order, session);
  return session.state;
}

export async function applySession(deps: SettleDeps, order: OrderRef, session: CheckoutSession): Promise<void> {
  if (session.state === 'expired') return releaseReservation(deps, order);
  if (session.state === 'complete' && session.isPaid) return fulfillOrder(deps, order, session);
}

export async function fulfillOrder(
  deps: Pick<Deps, 'db' | 'log'>,
  order: OrderRef,
  session: CheckoutSession,
): Promise<void> {
  const isSettled = await completeOrder(deps, order, session);
  if (!isSettled) await fulfillSingleOrder(deps, order, session);
}

/**
 * Fast path that completes many paid orders in one batch: reserved or already paid, with a matching payment and an upcoming event.
 * Writes the same rows as fulfilling each order alone. See docs/decisions/0024.
 *
 * @returns false if the order needs a decision or is locked; nothing has changed then
 */
export async function completeOrder(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
  {
    sessionId,
    paymentId,
    buyerEmail,
    buyerName,
    totalCents,
    feeCents,
    cardHash,
    currency,
    orderId: named,
  }: CheckoutSession,
): Promise<boolean> {
  // The SQL function compares the total, once the order is locked.
  const payment = { orderId: named, currency, totalCents, buyerEmail };
  if (buyerEmail === null || denyPayment({ orderId, totalCents }, payment) !== null) return false;
  return batcherOf(db).run({
    eventId,
    orderId,
    sessionId,
    paymentId,
    buyerEmail,
    buyerName,
    cents: totalCents,
    feeCents,
    cardHash,
  });
}

/** Handles every case, including late and mismatched payments. */
export async function fulfillSingleOrder(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { eventId, orderId }: OrderRef,
  session: CheckoutSession,
): Promise<void> {
  const mismatch = await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    return event ? fulfillLocked(tx, event, orderId, session) : null;
  });
  if (mismatch)
    log.error({ orderId, sessionId: session.sessionId, why: mismatch }, 'a paid session does not match its order');
}

/** @returns why the session does not match its order */
export async function fulfillLocked(
  tx: Db,
  event: LockedEvent,
  orderId: string,
  session: CheckoutSession,
): Promise<PaymentDenial | 'another session' | null> {
  const eventId = event.id;
  const isOver = event.cancelledAt !== null || event.payoutRequestedAt !== null;
  await lockStockIfNeeded(tx, { eventId, orderId }, isOver);
  const order = await lockOrder(tx, { eventId, orderId });
  if (!order) return null;
  // A second session that names the order doesn't pay it. Reconciliation reports its money.
  if (order.sessionId !== null && order.sessionId !== session.sessionId) return 'another session';

  const denial = denyPayment({ orderId, totalCents: order.totalCents }, session);
  const payment = { eventId, orderId, cents: session.totalCents, at: event.now };
  const isNew = order.state === 'reserved' || order.state === 'expired';
  if (isNew) await applyPayment(tx, { event, isOver, order, payment, session, denial });

  // Stripe often reports its fee after the payment, so every call checks for it.
  if (session.feeCents !== null && session.currency === 'usd')
    await recordCardFee(tx, movementOf(payment, session.feeCents));
  return order.state === 'needs-review' ? null : denial;
}

/**
 * Locks the stock only if it will change, because all buyers contend for that row. If the reservation expires before the
 * order is locked, the stock is locked after the order. That can deadlock, and then the transaction is retried.
 */
async function lockStockIfNeeded(tx: Db, ref: OrderRef, isOver: boolean): Promise<void> {
  const order = await findOrderById(tx, ref);
  if (order?.state === 'expired' || (order?.state === 'reserved' && isOver)) await lockStock(tx, ref);
}

interface NewPayment {
  event: LockedEvent;
  /** Cancelled or paid out: no more sales. */
  isOver: boolean;
  order: LockedOrder;
  payment: Payment;
  session: CheckoutSession;
  denial: PaymentDenial | null;
}

async function applyPayment(tx: Db, { event, isOver, order, payment, session, denial }: NewPayment): Promise<void> {
  const isReserved = order.state === 'reserved';
  if (denial) return reviewOrRefund(tx, { order, payment, session, denial });

  if (!isOver && (isReserved || (await reserveOrders(tx, payment.eventId, [payment.orderId])))) {
    const { sessionId, paymentId, buyerEmail, buyerName, feeCents, cardHash } = session;
    const sale = { ...payment, sessionId, paymentId, buyerEmail: buyerEmail ?? '', buyerName, feeCents, cardHash };
    return sellOrder(tx, sale, payment.at);
  }
  if (isReserved) await releaseOrder(tx, payment);
  await refund(tx, payment, session, unfulfillableReason(event, order));
}

type DeniedPayment = Pick<NewPayment, 'order' | 'payment' | 'session'> & { denial: PaymentDenial };

async function reviewOrRefund(tx: Db, { order, payment, session, denial }: DeniedPayment): Promise<void> {
  const hasStock = order.state === 'reserved' || (await reserveOrders(tx, payment.eventId, [payment.orderId]));
  if (hasStock) return holdForReview(tx, payment, session, denial);
  // Without stock there is nothing to review, so it is refunded like any late payment.
  if (session.currency === 'usd') await refund(tx, payment, session, 'payment-differs');
}

function unfulfillableReason(
  { cancelledAt, endsAt, now }: LockedEvent,
  { rebuiltAt }: LockedOrder,
): UnfulfillableReason {
  if (cancelledAt) return 'event-cancelled';
  if (rebuiltAt) return 'order-lost';
  return endsAt <= now ? 'event-ended' : 'sold-out';
}

async function refund(
  tx: Db,
  payment: Payment,
  { sessionId, paymentId, buyerEmail }: CheckoutSession,
  reason: UnfulfillableReason,
): Promise<void> {
  await setOrderState(tx, payment, { sessionId, paymentId, buyerEmail, receivedCents: payment.cents });
  await recordUnfulfillableSale(tx, movementOf(payment));
  await markUnfulfillable(tx, { ...payment, buyerEmail, reason });
}

function movementOf({ eventId, orderId, cents, at }: Payment, amountCents = cents) {
  return { eventId, subjectId: orderId, cents: amountCents, at };
}

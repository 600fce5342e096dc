/**
 * Holds orders for review whose payment doesn't match. They get no tickets and keep their stock. They are not refunded
 * automatically, because anyone who can tamper with a payment could then make us send money.
 */
import { reviewErrors } from '#contract/messages/checkout.ts';
import type { OrderRef } from '#domain/order.ts';
import type { PaymentDenial } from '#domain/payment.ts';
import { recordUnfulfillableSale } from '#server/ledger/record-movements.ts';
import { lockEventOnSale, lockOrder, setOrderState } from '#server/orders/core/orders.sql.ts';
import { lockStock, releaseOrder } from '#server/orders/core/stock.sql.ts';
import { conflict } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { markUnfulfillable } from './mark-unfulfillable.ts';

/** The caller holds the locks of the order and its stock. */
export async function holdForReview(
  tx: Db,
  { eventId, orderId, at }: OrderRef & { at: Date },
  session: CheckoutSession,
  reviewReason: PaymentDenial,
): Promise<void> {
  const { sessionId, paymentId, buyerEmail } = session;
  // The ledger and refunds only support US dollars.
  const receivedCents = session.currency === 'usd' ? session.totalCents : 0;
  const change = { sessionId, paymentId, buyerEmail, reviewReason, receivedCents };
  await setOrderState(tx, { eventId, orderId }, { state: 'needs-review', ...change });
  await recordUnfulfillableSale(tx, { eventId, subjectId: orderId, cents: receivedCents, at });
}

/** @returns the refunded amount */
export async function refundReviewed(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
): Promise<{ cents: number }> {
  return inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    await lockStock(tx, { eventId, orderId });
    const order = await lockOrder(tx, { eventId, orderId });
    if (!event || order?.state !== 'needs-review') throw conflict(reviewErrors['not-under-review']);
    if (order.reviewReason === 'other-currency') throw conflict(reviewErrors['other-currency']);

    const { receivedCents, totalCents, buyerEmail } = order;
    const cents = receivedCents ?? totalCents;
    await releaseOrder(tx, { eventId, orderId });
    await markUnfulfillable(tx, { eventId, orderId, cents, buyerEmail, reason: 'payment-differs', at: event.now });
    return { cents };
  });
}

/**
 * Sets an order aside whose payment is not what was ordered. No tickets are made, its stock stays reserved, and nothing
 * goes back by itself: whoever can change what is paid could otherwise make the product send money.
 */

import { reviewErrors } from '#contract/checkout-words.ts';
import type { OrderRef } from '#domain/order.ts';
import type { PaymentDenial } from '#domain/payment.ts';
import { recordUnfulfillableSale } from '#server/ledger/record-movements.ts';
import { lockEventOnSale, lockOrder, lockStock, setOrderState } from '#server/orders/orders.sql.ts';
import { releaseLines } from '#server/orders/reserve-lines.ts';
import { conflict } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { returnPayment } from './return-payment.ts';

/** The caller's transaction holds the order, with its stock. */
export async function setAsideForReview(
  tx: Db,
  { eventId, orderId, at }: OrderRef & { at: Date },
  session: CheckoutSession,
  quarantine: PaymentDenial,
): Promise<void> {
  const { sessionId, paymentId, buyerEmail } = session;
  // The books are in dollars, and so is every refund.
  const receivedCents = session.currency === 'usd' ? session.totalCents : 0;
  const change = { sessionId, paymentId, buyerEmail, quarantine, receivedCents };
  await setOrderState(tx, { eventId, orderId }, { state: 'quarantined', ...change });
  await recordUnfulfillableSale(tx, { eventId, subjectId: orderId, cents: receivedCents, at });
}

/** @returns what goes back */
export async function refundReviewed(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
): Promise<{ cents: number }> {
  return inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    await lockStock(tx, { eventId, orderId });
    const order = await lockOrder(tx, { eventId, orderId });
    if (!event || order?.state !== 'quarantined') throw conflict(reviewErrors['not-quarantined']);
    if (order.quarantine === 'other-currency') throw conflict(reviewErrors['other-currency']);

    const { receivedCents, totalCents, buyerEmail } = order;
    const cents = receivedCents ?? totalCents;
    await releaseLines(tx, { eventId, orderId });
    await returnPayment(tx, { eventId, orderId, cents, buyerEmail, reason: 'payment-differs', at: event.now });
    return { cents };
  });
}

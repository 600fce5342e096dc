/** Marks a paid order without tickets as unfulfillable, refunds it in full and emails the buyer. */
import type { OrderRef } from '#domain/order.ts';
import { type UnfulfillableReason } from '#domain/payment.ts';
import { refundedOrSentCents, setOrderState } from '#server/orders/core/orders.sql.ts';
import { refundUnfulfillableOrder } from '#server/payments/refunds/refund-unfulfillable-order.ts';
import type { Db } from '#server/platform/database.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';

interface ReceivedPayment extends OrderRef {
  cents: number;
  buyerEmail: string | null;
  reason: UnfulfillableReason;
  at: Date;
}

/** The caller holds the order's lock, has released its stock and has recorded the payment. */
export async function markUnfulfillable(tx: Db, { buyerEmail, reason, ...received }: ReceivedPayment): Promise<void> {
  const { eventId, orderId, at } = received;
  await setOrderState(tx, received, { state: 'unfulfillable' });
  // Part of it may have been refunded in the Stripe dashboard.
  const cents = received.cents - (await refundedOrSentCents(tx, received));
  if (cents > 0) await refundUnfulfillableOrder(tx, { eventId, orderId, cents, at });
  if (buyerEmail === null) return;
  const params = { eventId, reason };
  await queueEmail(tx, { kind: 'order-unfulfillable', subjectId: orderId, toAddress: buyerEmail, params, now: at });
}

/** Paid, but there are no tickets for it: the whole sum goes back by itself, and the buyer is told why. */
import type { UnfulfillableReason } from '#contract/checkout-words.ts';
import type { OrderRef } from '#domain/order.ts';
import { refundedOrSentCents, setOrderState } from '#server/orders/orders.sql.ts';
import { refundUnfulfillableOrder } from '#server/payments/refunds/refund-unfulfillable-order.ts';
import type { Db } from '#server/platform/database.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';

interface Received extends OrderRef {
  cents: number;
  buyerEmail: string | null;
  reason: UnfulfillableReason;
  at: Date;
}

/** The caller's transaction holds the order, has given its stock back, and has written down the money's arrival. */
export async function returnPayment(tx: Db, { buyerEmail, reason, ...received }: Received): Promise<void> {
  const { eventId, orderId, at } = received;
  await setOrderState(tx, received, { state: 'unfillable' });
  // Somebody may have given it back at the card company itself.
  const cents = received.cents - (await refundedOrSentCents(tx, received));
  if (cents > 0) await refundUnfulfillableOrder(tx, { eventId, orderId, cents, at });
  if (buyerEmail === null) return;
  const params = { eventId, reason };
  await queueEmail(tx, { kind: 'order-unfillable', subjectId: orderId, toAddress: buyerEmail, params, now: at });
}

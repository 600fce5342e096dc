/**
 * The common end of a sale, many at a time: the order is held or paid already, the payment is its own, and the event
 * is still to come. The rows are those that fulfilling the order alone would write. Source: docs/decisions/0024.
 */

import type { OrderRef } from '#domain/order.ts';
import { denyPayment } from '#domain/payment.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { completeSales, type Sale } from './complete-orders.sql.ts';

/** A larger batch saves nothing more, and keeps its orders locked for longer. */
const BATCH_AT_MOST = 128;

const batcherOf = perDatabase((db) =>
  openBatcher<Sale, boolean>(
    {
      name: 'complete',
      one: async (sale) => (await completeSales(db, [sale]))[0] ?? false,
      many: (sales) => completeSales(db, sales),
    },
    { batchAtMost: BATCH_AT_MOST },
  ),
);

/** False when there is something to decide, or to wait for: then nothing has changed. */
export async function completeOrder(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
  { sessionId, paymentId, buyerEmail, totalCents, feeCents, currency, orderId: named }: CheckoutSession,
): Promise<boolean> {
  // Whether the total is the order's is seen where the order is locked.
  const payment = { orderId: named, currency, totalCents, buyerEmail };
  if (buyerEmail === null || denyPayment({ orderId, totalCents }, payment) !== null) return false;
  return batcherOf(db).run({ eventId, orderId, sessionId, paymentId, buyerEmail, cents: totalCents, feeCents });
}

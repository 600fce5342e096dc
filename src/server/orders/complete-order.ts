/**
 * Fast path that completes many paid orders in one batch: reserved or already paid, with a matching payment and an
 * upcoming event. Writes the same rows as fulfilling each order alone. See docs/decisions/0024.
 */

import type { OrderRef } from '#domain/order.ts';
import { denyPayment } from '#domain/payment.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { completeSales, type Sale } from './core/complete.sql.ts';

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

/** False when the order needs a decision or is locked; nothing has changed then. */
export async function completeOrder(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
  { sessionId, paymentId, buyerEmail, totalCents, feeCents, currency, orderId: named }: CheckoutSession,
): Promise<boolean> {
  // The SQL function compares the total, once the order is locked.
  const payment = { orderId: named, currency, totalCents, buyerEmail };
  if (buyerEmail === null || denyPayment({ orderId, totalCents }, payment) !== null) return false;
  return batcherOf(db).run({ eventId, orderId, sessionId, paymentId, buyerEmail, cents: totalCents, feeCents });
}

import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { insertRefunds } from './refunds.sql.ts';

/** Claims a full refund. Runs in the transaction that marks the order unfulfillable or retries its refused refund. */
export async function refundUnfulfillableOrder(
  tx: Db,
  order: { eventId: string; orderId: string; cents: number; at: Date },
): Promise<void> {
  const { eventId, orderId, cents, at } = order;
  const refundId = newId();
  await insertRefunds(tx, [
    {
      eventId,
      id: refundId,
      orderId,
      ticketId: null,
      cents,
      reason: 'unfulfillable-order',
      createdAt: at,
      sendAfter: at,
    },
  ]);
  await enqueue(tx, 'send-refund', { eventId, refundId });
}

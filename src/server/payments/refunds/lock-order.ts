import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { lockOrderForRefund } from './refund-locks.sql.ts';

/** Locks an order and its ticket types for a refund. Callers that also lock the event lock it first. */
export async function lockOrderOf(tx: Db, order: OrderRef) {
  return lockOrderForRefund(tx, order);
}

/** Holds an order with its ticket types: whatever giving its money back may change, but for its refunds and tickets. */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { lockOrderForRefund } from './refunded-tickets.sql.ts';

/** Whoever needs the event for itself holds that first. */
export async function lockOrderOf(tx: Db, order: OrderRef) {
  return lockOrderForRefund(tx, order);
}

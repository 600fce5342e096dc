import type { OrderRef } from '#domain/order.ts';
import type { OwnFailureReason } from '#domain/reversal.ts';
import { voidTickets } from '#server/orders/core/tickets.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { lockOrderForRefund, refuseClaimedRefunds } from './refund-locks.sql.ts';

const NOTHING_LEFT: OwnFailureReason = 'refunded-elsewhere';

/**
 * Voids all tickets of an order after a full dashboard refund or a lost dispute. Runs in the transaction that records
 * the cause.
 */
export async function voidTicketsOf(tx: Db, order: OrderRef): Promise<void> {
  if (!(await lockOrderForRefund(tx, order))) return;
  await refuseClaimedRefunds(tx, order, NOTHING_LEFT);
  await voidTickets(tx, order);
}

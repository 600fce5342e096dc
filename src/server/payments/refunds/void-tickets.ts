import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { lockOrderForRefund, refuseClaimedRefunds, releaseStock, voidTickets } from './refunded-tickets.sql.ts';

const NOTHING_LEFT = 'The money of this order had gone back in another way.';

/**
 * Voids all tickets of an order after a full dashboard refund or a lost dispute. Runs in the transaction that records
 * the cause.
 */
export async function voidTicketsOf(tx: Db, order: OrderRef): Promise<void> {
  if (!(await lockOrderForRefund(tx, order))) return;
  await refuseClaimedRefunds(tx, order, NOTHING_LEFT);
  for (const { ticketTypeId, quantity } of await voidTickets(tx, order)) {
    if (quantity > 0) await releaseStock(tx, order.eventId, ticketTypeId, quantity);
  }
}

/** Takes all tickets of an order out of use: its money went back at the card company, or a dispute about it was lost. */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { endClaimsOf, lockOrderForRefund, releaseStock, voidTickets } from './refunded-tickets.sql.ts';

const NOTHING_LEFT = 'The money of this order had gone back in another way.';

/**
 * Runs in the transaction that finds out, after the refund or dispute that is the reason was written. A ticket that was
 * scanned keeps its place: its holder is in the room.
 */
export async function voidTicketsOf(tx: Db, order: OrderRef): Promise<void> {
  if (!(await lockOrderForRefund(tx, order))) return;
  await endClaimsOf(tx, order, NOTHING_LEFT);
  for (const { ticketTypeId, places } of await voidTickets(tx, order)) {
    if (places > 0) await releaseStock(tx, order.eventId, ticketTypeId, places);
  }
}

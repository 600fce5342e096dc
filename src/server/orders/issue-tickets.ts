/** Makes one ticket for each place of a paid order, each with a number of its own. */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { newConfirmationNumber, newId } from '#server/platform/ids.ts';
import { insertTickets, linesOf, type NewTicket } from './orders.sql.ts';

export async function issueTickets(tx: Db, order: OrderRef, buyerEmail: string, at: Date): Promise<void> {
  for (const line of await linesOf(tx, order)) {
    const newTicket = (): NewTicket => ({
      eventId: order.eventId,
      id: newId(),
      orderId: order.orderId,
      ticketTypeId: line.ticketTypeId,
      confirmationNumber: newConfirmationNumber(),
      ticketName: line.ticketName,
      priceCents: line.unitPriceCents,
      buyerEmail,
      issuedAt: at,
    });

    // Random numbers do meet by chance; whoever finds theirs taken draws again.
    let missing = line.quantity;
    while (missing > 0) missing -= await insertTickets(tx, Array.from({ length: missing }, newTicket));
  }
}

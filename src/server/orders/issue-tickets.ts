/** Issues one ticket per unit of each order line, each with its own confirmation number. */
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { newConfirmationNumber, newId } from '#server/platform/ids.ts';
import { findOrderLines, insertTickets, type NewTicket } from './orders.sql.ts';

export async function issueTickets(tx: Db, order: OrderRef, buyerEmail: string, at: Date): Promise<void> {
  for (const line of await findOrderLines(tx, order)) {
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

    // Retries on a collision of confirmation numbers.
    let missing = line.quantity;
    while (missing > 0) missing -= await insertTickets(tx, Array.from({ length: missing }, newTicket));
  }
}

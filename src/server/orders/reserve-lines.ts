import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { findOrderLines, releaseTickets, reserveTickets } from './orders.sql.ts';

/** For a payment that arrives after the reservation expired. Reserves all of the order's lines or none. */
export async function reserveLines(tx: Db, order: OrderRef): Promise<boolean> {
  const reservedLines: { ticketTypeId: string; quantity: number }[] = [];
  for (const line of await findOrderLines(tx, order)) {
    if (await reserveTickets(tx, order.eventId, line.ticketTypeId, line.quantity)) {
      reservedLines.push(line);
      continue;
    }
    for (const reserved of reservedLines)
      await releaseTickets(tx, order.eventId, reserved.ticketTypeId, reserved.quantity);
    return false;
  }
  return true;
}

export async function releaseLines(tx: Db, order: OrderRef): Promise<void> {
  for (const line of await findOrderLines(tx, order)) {
    await releaseTickets(tx, order.eventId, line.ticketTypeId, line.quantity);
  }
}

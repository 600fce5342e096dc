/** The stock of a whole order. */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { linesOf, releaseTickets, reserveTickets } from './orders.sql.ts';

/** A payment may arrive after the hold was given back: then it takes tickets for all of its lines, or for none. */
export async function reserveLines(tx: Db, order: OrderRef): Promise<boolean> {
  const taken: { ticketTypeId: string; quantity: number }[] = [];
  for (const line of await linesOf(tx, order)) {
    if (await reserveTickets(tx, order.eventId, line.ticketTypeId, line.quantity)) {
      taken.push(line);
      continue;
    }
    for (const back of taken) await releaseTickets(tx, order.eventId, back.ticketTypeId, back.quantity);
    return false;
  }
  return true;
}

export async function releaseLines(tx: Db, order: OrderRef): Promise<void> {
  for (const line of await linesOf(tx, order)) {
    await releaseTickets(tx, order.eventId, line.ticketTypeId, line.quantity);
  }
}

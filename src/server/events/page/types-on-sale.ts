import { denySale } from '#domain/order.ts';
import { publicEventRow, ticketTypeRows } from '#server/events/events.sql.ts';
import { openSuccessors } from '#server/events/open-successors.ts';
import type { Db } from '#server/platform/database.ts';

/** The ticket types of an event that sells, with hidden ones; none of any other event. */
export async function typesOnSale(db: Db, eventId: string) {
  const event = await publicEventRow(db, eventId);
  if (!event || denySale(event, event.now)) return { types: [], now: new Date(0) };
  return { types: await openSuccessors(db, event, await ticketTypeRows(db, [eventId])), now: event.now };
}

/** Claims a refused refund of a cancelled event's ticket anew, unless somebody else has. */
import type { Db } from '#server/database.ts';
import { hasLivingRefund, lockTicketsToRefund } from './cancelled-events.sql.ts';
import { claimCancelled } from './claim-cancelled.ts';

export async function claimTicketAgain(
  tx: Db,
  { eventId, orderId, ticketId }: { eventId: string; orderId: string; ticketId: string },
): Promise<void> {
  const tickets = await lockTicketsToRefund(tx, eventId, [orderId], ['refunding']);
  const ticket = tickets.find(({ id }) => id === ticketId);
  if (ticket && !(await hasLivingRefund(tx, eventId, ticketId))) await claimCancelled(tx, eventId, [ticket]);
}

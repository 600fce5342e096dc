/** Claims refunds of a cancelled event's tickets, in the transaction that holds them and their orders. */
import type { Db } from '#server/database.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { newId } from '#server/new-id.ts';
import { setTicketsState } from './refunded-tickets.sql.ts';
import { centsLeftOf, insertRefunds, type NewRefund } from './refunds.sql.ts';

interface TicketToRefund {
  id: string;
  orderId: string;
  priceCents: number;
  now: Date;
}

/** Where part of an order went back at the card company already, its tickets share what is left. */
export async function claimCancelled(tx: Db, eventId: string, tickets: readonly TicketToRefund[]): Promise<void> {
  const left = new Map<string, number>();
  const refunds: (NewRefund & { id: string })[] = [];
  for (const { id: ticketId, orderId, priceCents, now } of tickets) {
    const rest = left.get(orderId) ?? (await centsLeftOf(tx, { eventId, orderId }));
    const cents = Math.min(priceCents, rest);
    left.set(orderId, rest - cents);
    const id = newId();
    refunds.push({ eventId, id, orderId, ticketId, cents, reason: 'event-cancelled', createdAt: now, sendAfter: now });
  }
  await insertRefunds(tx, refunds);
  const ticketIds = tickets.map((ticket) => ticket.id);
  await setTicketsState(tx, eventId, ticketIds, 'refunding');
  for (const { id: refundId } of refunds) await enqueue(tx, 'send-refund', { eventId, refundId });
}

/**
 * Gives everyone's money back after an event was cancelled, also that of guests who were already in. Works in
 * parts: each claims its refunds and writes its mails in one transaction, so a crash only leaves fewer to do.
 */
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { cancellationCounts, lockTicketsToRefund, ordersToRefund } from './cancelled-events.sql.ts';
import { setTicketsState } from './refunded-tickets.sql.ts';
import { centsLeftOf, insertRefunds, type NewRefund } from './refunds.sql.ts';

const ORDERS_AT_ONCE = 50;

export async function refundCancelledEvent({ db }: Pick<Deps, 'db'>, { eventId }: { eventId: string }): Promise<void> {
  let orders: string[];
  do {
    orders = await ordersToRefund(db, eventId, ORDERS_AT_ONCE);
    await inTransaction(db, (tx) => claimSome(tx, eventId, orders));
  } while (orders.length > 0);
}

async function claimSome(tx: Db, eventId: string, orders: readonly string[]): Promise<void> {
  const tickets = await lockTicketsToRefund(tx, eventId, orders, ['valid', 'scanned']);
  const now = tickets[0]?.now;
  if (!now) return;
  await claimCancelled(tx, eventId, tickets);

  // Whose orders come in two parts is met twice here, and gets one mail all the same.
  for (const buyerEmail of new Set(tickets.map((ticket) => ticket.buyerEmail))) {
    await queueEmail(tx, {
      kind: 'event-cancelled',
      subjectId: `${eventId} ${buyerEmail.toLowerCase()}`,
      toAddress: buyerEmail,
      params: { eventId, buyerEmail },
      now,
    });
  }
}

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

/** Of cancelled events: how many tickets' money is to go back, how much of that is done, and how much went wrong. */
export async function cancellationProgress({ db }: Pick<Deps, 'db'>, eventIds: readonly string[]) {
  const counts = await cancellationCounts(db, eventIds);
  return (eventId: string) => {
    const { refunds = 0, refunded = 0, failed = 0 } = counts.find((count) => count.eventId === eventId) ?? {};
    return { refunds, refunded, failed };
  };
}

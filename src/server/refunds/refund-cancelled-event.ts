/**
 * Gives everyone's money back after an event was cancelled, also that of guests who were already in. Works in
 * parts: each claims its refunds and writes its mails in one transaction, so a crash only leaves fewer to do.
 */
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { lockTicketsToRefund, ordersToRefund } from './cancelled-events.sql.ts';
import { claimCancelled } from './claim-cancelled.ts';

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
    await queueMail(tx, {
      kind: 'event-cancelled',
      subjectId: `${eventId} ${buyerEmail.toLowerCase()}`,
      toAddress: buyerEmail,
      params: { eventId, buyerEmail },
      now,
    });
  }
}

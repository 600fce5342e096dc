/**
 * Gives everyone's money back after an event was cancelled, also that of guests who were already in. Works in
 * parts: each claims its refunds and writes its mails in one transaction, so a crash only leaves fewer to do.
 */
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/jobs.sql.ts';
import { queueMail } from '#server/mail/queue-mail.ts';
import { newId } from '#server/new-id.ts';
import { insertRefunds, lockTicketsToRefund, setTicketsState } from './refunds.sql.ts';

const AT_ONCE = 100;

export async function refundCancelledEvent({ db }: Pick<Deps, 'db'>, { eventId }: { eventId: string }): Promise<void> {
  let claimed: number;
  do claimed = await inTransaction(db, (tx) => claimSome(tx, eventId));
  while (claimed > 0);
}

async function claimSome(tx: Db, eventId: string): Promise<number> {
  const tickets = await lockTicketsToRefund(tx, eventId, AT_ONCE);
  const now = tickets[0]?.now;
  if (!now) return 0;

  const refunds = tickets.map(({ id: ticketId, orderId, priceCents: cents }) => {
    const reason = 'event-cancelled' as const;
    return { eventId, id: newId(), orderId, ticketId, cents, reason, createdAt: now };
  });
  const ticketIds = tickets.map((ticket) => ticket.id);
  await insertRefunds(tx, refunds);
  await setTicketsState(tx, eventId, ticketIds, 'refunding');
  for (const { id: refundId } of refunds) await enqueue(tx, 'send-refund', { eventId, refundId });

  // Whose tickets come in two parts is met twice here, and gets one mail all the same.
  for (const buyerEmail of new Set(tickets.map((ticket) => ticket.buyerEmail))) {
    await queueMail(tx, {
      kind: 'event-cancelled',
      subjectId: `${eventId} ${buyerEmail.toLowerCase()}`,
      toAddress: buyerEmail,
      params: { eventId, buyerEmail },
      now,
    });
  }
  return tickets.length;
}

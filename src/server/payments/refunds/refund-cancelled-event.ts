/**
 * Refunds every ticket of a cancelled event, scanned or not. Works in batches that claim refunds and queue emails in one
 * transaction, so it can resume after a crash.
 */
import { SOLD_STATES } from '#domain/tickets.ts';
import { startRefund } from '#server/orders/core/tickets.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { cancellationCounts, lockTicketsToRefund, ordersToRefund } from './cancelled-events.sql.ts';
import { chargeEarlierRefundCosts } from './refund-costs.ts';
import { insertRefunds, type NewRefund, refundableCents } from './refunds.sql.ts';

const BATCH_SIZE = 50;

export async function refundCancelledEvent({ db }: Pick<Deps, 'db'>, { eventId }: { eventId: string }): Promise<void> {
  await chargeEarlierRefundCosts({ db }, eventId);
  let orders: string[];
  do {
    orders = await ordersToRefund(db, eventId, BATCH_SIZE);
    await inTransaction(db, (tx) => claimBatch(tx, eventId, orders));
  } while (orders.length > 0);
}

async function claimBatch(tx: Db, eventId: string, orders: readonly string[]): Promise<void> {
  const tickets = await lockTicketsToRefund(tx, eventId, orders, SOLD_STATES);
  const now = tickets[0]?.now;
  if (!now) return;
  await claimCancelled(tx, eventId, tickets);

  // A buyer whose orders span two batches comes up twice, but the subject id allows only one email.
  const addresses = tickets.flatMap(({ buyerEmail, payerEmail }) =>
    payerEmail ? [buyerEmail, payerEmail] : [buyerEmail],
  );
  for (const buyerEmail of new Set(addresses)) {
    if (buyerEmail === null) continue;
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

/** If part of an order was already refunded in the Stripe dashboard, its tickets share the rest. */
export async function claimCancelled(tx: Db, eventId: string, tickets: readonly TicketToRefund[]): Promise<void> {
  const leftByOrder = new Map<string, number>();
  const refunds: (NewRefund & { id: string })[] = [];
  for (const { id: ticketId, orderId, priceCents, now } of tickets) {
    const leftCents = leftByOrder.get(orderId) ?? (await refundableCents(tx, { eventId, orderId }));
    const cents = Math.min(priceCents, leftCents);
    leftByOrder.set(orderId, leftCents - cents);
    const id = newId();
    refunds.push({ eventId, id, orderId, ticketId, cents, reason: 'event-cancelled', createdAt: now, sendAfter: now });
  }
  await insertRefunds(tx, refunds);
  const ticketIds = tickets.map((ticket) => ticket.id);
  await startRefund(tx, eventId, ticketIds);
  for (const { id: refundId } of refunds) await enqueue(tx, 'send-refund', { eventId, refundId });
}

/** Refund progress of cancelled events: total, refunded and failed tickets. */
export async function cancellationProgress({ db }: Pick<Deps, 'db'>, eventIds: readonly string[]) {
  const counts = await cancellationCounts(db, eventIds);
  return (eventId: string) => {
    const { refunds = 0, refunded = 0, failed = 0 } = counts.find((count) => count.eventId === eventId) ?? {};
    return { refunds, refunded, failed };
  };
}

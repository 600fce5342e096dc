/**
 * Claims a refused refund again, once its cause is fixed at Stripe. Only for buyers without a ticket: after a refused
 * refund request the ticket is still valid. It becomes a new refund, so late events of the old one can't affect it.
 */
import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hasActiveRefund, lockTicketsToRefund } from './cancelled-events.sql.ts';
import { claimCancelled } from './refund-cancelled-event.ts';
import { lockOrderForRefund } from './refund-locks.sql.ts';
import { refundUnfulfillableOrder } from './refund-unfulfillable-order.ts';
import { findRefusedRefund, hasActiveRefundOfOrder, type RefundRef, refundableCents } from './refunds.sql.ts';

export async function claimRefundAgain({ db }: Pick<Deps, 'db'>, ref: RefundRef): Promise<void> {
  await inTransaction(db, async (tx) => {
    const refund = await findRefusedRefund(tx, ref);
    if (!refund) return;
    const { reason, ticketId, cents } = refund;
    const order = { eventId: ref.eventId, orderId: refund.orderId };
    if (reason === 'event-cancelled' && ticketId) await claimTicketAgain(tx, { ...order, ticketId });
    if (reason === 'unfulfillable-order') await claimOrderAgain(tx, order, cents);
  });
}

/** Excludes amounts that were refunded in the Stripe dashboard in the meantime. */
async function claimOrderAgain(tx: Db, order: OrderRef, refusedCents: number): Promise<void> {
  const locked = await lockOrderForRefund(tx, order);
  if (!locked || (await hasActiveRefundOfOrder(tx, order))) return;
  const cents = Math.min(refusedCents, await refundableCents(tx, order));
  await refundUnfulfillableOrder(tx, { ...order, cents, at: locked.now });
}

/** Claims a new refund for a ticket of a cancelled event, unless it has an active one. */
export async function claimTicketAgain(
  tx: Db,
  { eventId, orderId, ticketId }: { eventId: string; orderId: string; ticketId: string },
): Promise<void> {
  const tickets = await lockTicketsToRefund(tx, eventId, [orderId], ['refunding']);
  const ticket = tickets.find(({ id }) => id === ticketId);
  if (ticket && !(await hasActiveRefund(tx, eventId, ticketId))) await claimCancelled(tx, eventId, [ticket]);
}

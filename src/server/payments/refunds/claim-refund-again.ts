/**
 * A person has removed what the card company refused a refund for. Only of refunds whose buyer has nothing but the
 * money: whoever asked for a refund and was refused still has the ticket. Each is claimed as a new refund, so that
 * nothing that is still heard of the old one is taken for news of it.
 */

import type { OrderRef } from '#domain/order.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { hasLivingRefund, lockTicketsToRefund } from './cancelled-events.sql.ts';
import { claimCancelled } from './refund-cancelled-event.ts';
import { refundUnfulfillableOrder } from './refund-unfulfillable-order.ts';
import { lockOrderForRefund } from './refunded-tickets.sql.ts';
import { centsLeftOf, hasLivingRefundOfOrder, type RefundRef, refusedRefund } from './refunds.sql.ts';

export async function askRefundAgain({ db }: Pick<Deps, 'db'>, ref: RefundRef): Promise<void> {
  await inTransaction(db, async (tx) => {
    const refund = await refusedRefund(tx, ref);
    if (!refund) return;
    const { reason, ticketId, cents } = refund;
    const order = { eventId: ref.eventId, orderId: refund.orderId };
    if (reason === 'event-cancelled' && ticketId) await claimTicketAgain(tx, { ...order, ticketId });
    if (reason === 'unfillable-order') await claimOrderAgain(tx, order, cents);
  });
}

/** What went back at the card company itself meanwhile does not go back once more. */
async function claimOrderAgain(tx: Db, order: OrderRef, refusedCents: number): Promise<void> {
  const locked = await lockOrderForRefund(tx, order);
  if (!locked || (await hasLivingRefundOfOrder(tx, order))) return;
  const cents = Math.min(refusedCents, await centsLeftOf(tx, order));
  await refundUnfulfillableOrder(tx, { ...order, cents, at: locked.now });
}

/** Claims a refused refund of a cancelled event's ticket anew, unless somebody else has. */
export async function claimTicketAgain(
  tx: Db,
  { eventId, orderId, ticketId }: { eventId: string; orderId: string; ticketId: string },
): Promise<void> {
  const tickets = await lockTicketsToRefund(tx, eventId, [orderId], ['refunding']);
  const ticket = tickets.find(({ id }) => id === ticketId);
  if (ticket && !(await hasLivingRefund(tx, eventId, ticketId))) await claimCancelled(tx, eventId, [ticket]);
}

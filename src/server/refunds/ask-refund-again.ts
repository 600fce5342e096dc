/**
 * A person has removed what the card company refused a refund for. Only of refunds whose buyer has nothing but the
 * money: whoever asked for a refund and was refused still has the ticket. Each is claimed as a new refund, so that
 * nothing that is still heard of the old one is taken for news of it.
 */
import { type Db, inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { claimTicketAgain } from './claim-ticket-again.ts';
import { refundUnfillableOrder } from './refund-unfillable-order.ts';
import { lockOrderForRefund, type OrderRef } from './refunded-tickets.sql.ts';
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
  await refundUnfillableOrder(tx, { ...order, cents, at: locked.now });
}

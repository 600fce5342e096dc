/** Ends a comp: a refund of 0 cents that only the organizer can make. Its stock is available at once. */
import { denyWithdrawal } from '#domain/sales/comps.ts';
import { compWithdrawn, compWithdrawnSilently } from '#messages/sales/comps.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { findTicket, startRefund } from '#server/orders/core/tickets.sql.ts';
import { recordSent } from '#server/payments/refunds/record-answer.ts';
import { lockOrderForRefund } from '#server/payments/refunds/refund-locks.sql.ts';
import { insertRefunds } from '#server/payments/refunds/refunds.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { isUuid, newId } from '#server/platform/ids.ts';

export async function withdrawComp(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, ticketId }: { eventId: string; ticketId: string },
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, actor, 'comp.manage', eventId);
  const isEmailed = await inTransaction(db, async (tx) => {
    const found = isUuid(ticketId) ? await findTicket(tx, { eventId, ticketId }) : undefined;
    const order = found && (await lockOrderForRefund(tx, { eventId, orderId: found.orderId }));
    if (!order || order.compBatchId === null) throw new AppError('comp.unknown');
    const ticket = await findTicket(tx, { eventId, ticketId }, { locks: true });
    if (!ticket) throw new AppError('comp.unknown');
    if (order.cancelledAt) throw new AppError('comp.event-cancelled');
    const denial = denyWithdrawal({ state: ticket.state, eventEndsAt: order.latestEndsAt }, order.now);
    if (denial) throw new AppError(`comp.${denial}`);

    const refundId = newId();
    const { orderId, now } = order;
    await startRefund(tx, eventId, [ticketId]);
    const refund = { orderId, ticketId, cents: 0, reason: 'withdrawn', createdAt: now, sendAfter: now } as const;
    await insertRefunds(tx, [{ eventId, id: refundId, ...refund }]);
    await recordSent(tx, order, refundId, null);
    await recordAuditEvent(tx, { action: 'withdraw-comp', by: actor, subject: ticketId, eventId, at: clock.now() });
    return order.buyerEmail !== null;
  });
  return { msg: isEmailed ? compWithdrawn : compWithdrawnSilently };
}

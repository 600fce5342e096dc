import type { correctEmail as endpoint } from '#contract/app/sales/ticket-transfers.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockOrder } from '#server/orders/core/orders.sql.ts';
import { lockEventToTransfer } from '#server/orders/core/transfers.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { correctAddress } from './correct-address.ts';

/** The organizer corrects the address of an order, at the request of its buyer. */
export async function correctEmail(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  actor: Actor,
  { eventId, orderId, email }: InputOf<typeof endpoint>,
): Promise<void> {
  await authorizeEvent({ db }, actor, 'order.correct-email', eventId);
  await consumeLimit(rateLimiter, 'correct-email', actor.organizationId);
  await inTransaction(db, async (tx) => {
    const event = await lockEventToTransfer(tx, eventId);
    const order = event && (await lockOrder(tx, { eventId, orderId }));
    if (!event || order?.state !== 'paid') throw new AppError('correction.unknown-order');
    if (event.cancelledAt) throw new AppError('checkout.event-cancelled');
    await correctAddress(tx, { eventId, orderId }, order, { email, now: event.now });
    await recordAuditEvent(tx, { action: 'correct-email', by: actor, subject: orderId, eventId, at: event.now });
  });
}

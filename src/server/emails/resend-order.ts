import { orderOfLink } from '#server/orders/find-by-link.ts';
import { openUntil } from '#server/orders/order-page/show-order.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import { nextVersion } from '#server/platform/outbox/outbox.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { usableTickets } from './outbox.sql.ts';

/** Emails an order's tickets to its buyer again. */
export async function resendOrder(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret'>,
  { token }: { token: string },
): Promise<void> {
  const order = await orderOfLink(deps, token);
  if (!order?.buyerEmail || isErased(order.buyerEmail) || deps.clock.now() >= openUntil(order))
    throw new AppError('checkout.unknown');
  if (order.cancelledAt) throw new AppError('checkout.event-cancelled');
  const { eventId, orderId, buyerEmail } = order;
  const tickets = await usableTickets(deps.db, eventId, { orderId, toAddress: buyerEmail });
  if (tickets.length === 0) throw new AppError('resend.ticket-refunded');
  await consumeLimit(deps.rateLimiter, 'resend-order', orderId);
  await inTransaction(deps.db, async (tx) => {
    // Two clicks at once get the same version, so only one email is queued.
    const version = await nextVersion(tx, 'tickets', orderId);
    await queueEmail(tx, {
      kind: 'tickets',
      subjectId: orderId,
      version,
      toAddress: buyerEmail,
      params: { eventId },
      now: deps.clock.now(),
    });
  });
}

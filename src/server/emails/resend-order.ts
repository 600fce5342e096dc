import type { resendOrderToBuyer as endpoint } from '#contract/app/sales/orders.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { findOrderOfPage } from '#server/orders/core/orders.sql.ts';
import { type FoundOrder, orderOfLink } from '#server/orders/find-by-link.ts';
import { openUntil } from '#server/orders/order-page/show-order.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { nextVersion } from '#server/platform/outbox/outbox.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { usableTickets } from './outbox.sql.ts';

type ResendDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter'>;

/** Emails an order's tickets to its buyer again. */
export async function resendOrder(
  deps: ResendDeps & Pick<Deps, 'appSecret'>,
  { token }: { token: string },
): Promise<void> {
  await emailAgain(deps, await orderOfLink(deps, token), 'checkout.unknown');
}

/** The same for a member. */
export async function resendOrderToBuyer(deps: ResendDeps, actor: Actor, ref: InputOf<typeof endpoint>): Promise<void> {
  await authorizeEvent(deps, actor, 'ticket.resend', ref.eventId);
  const order = await findOrderOfPage(deps.db, ref);
  await emailAgain(deps, order?.state === 'paid' ? order : null, 'orders.unknown');
}

async function emailAgain(
  deps: ResendDeps,
  order: FoundOrder | null | undefined,
  unknown: 'checkout.unknown' | 'orders.unknown',
): Promise<void> {
  if (!order?.buyerEmail || isErased(order.buyerEmail) || deps.clock.now() >= openUntil(order))
    throw new AppError(unknown);
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

/** Ends the open checkouts of a cancelled event. Buyers who pay in the meantime are refunded. */
import type { OrderRef } from '#domain/order.ts';
import { findSessionId, reservedOrders } from '#server/orders/core/orders.sql.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { releaseReservation, releaseUnopened } from '#server/orders/release-reservation.ts';
import { mapConcurrently } from '#server/platform/concurrency.ts';
import type { Deps } from '#server/platform/deps.ts';
import { applySession } from './fulfill-order.ts';

const CONCURRENCY = 8;

export async function closeCheckouts(
  deps: Pick<Deps, 'db' | 'paymentProcessor' | 'log'>,
  { eventId }: { eventId: string },
): Promise<void> {
  await releaseExpired(deps, { eventId, wait: true });
  let failed = 0;
  await mapConcurrently(await reservedOrders(deps.db, eventId), CONCURRENCY, async (order) => {
    try {
      await endCheckout(deps, order);
    } catch (error) {
      failed += 1;
      deps.log.warn({ err: error, orderId: order.orderId }, 'could not close a checkout of a cancelled event');
    }
  });
  // The job is retried. Checkouts that are still open after that expire on their own.
  if (failed > 0) throw new Error(`${failed} checkouts of event ${eventId} are still open`);
}

/**
 * Expires the payment page, then releases the reservation. In the opposite order, the buyer could pay for tickets that
 * were just sold to someone else. A payment made in the meantime is fulfilled.
 */
export async function endCheckout(deps: Pick<Deps, 'db' | 'paymentProcessor' | 'log'>, order: OrderRef): Promise<void> {
  // Without a session, no buyer has seen a payment page.
  if ((await findSessionId(deps.db, order)) === null && (await releaseUnopened(deps, order))) return;

  const sessionId = await findSessionId(deps.db, order);
  if (sessionId === null) return;
  const session = await deps.paymentProcessor.closeCheckout(sessionId);
  if (session) return applySession(deps, order, session);
  // A session that Stripe doesn't know can't be paid.
  deps.log.error({ orderId: order.orderId, sessionId }, 'Stripe does not know the checkout session of an order');
  await releaseReservation(deps, order);
}

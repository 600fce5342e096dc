/** Ends open checkouts: of a cancelled event, and those whose time is over. Buyers who pay in the meantime are refunded. */
import type { OrderRef } from '#domain/order.ts';
import { findSessionId, reservedOrders } from '#server/orders/core/orders.sql.ts';
import { isFreeSession } from '#server/orders/free-orders/complete-free-order.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { releaseReservation, releaseUnopened } from '#server/orders/release-reservation.ts';
import { mapConcurrently, turnsPerSecond } from '#server/platform/concurrency.ts';
import type { Deps } from '#server/platform/deps.ts';
import { applySession } from './fulfill-order.ts';

const CONCURRENCY = 8;
/** Stripe accepts a hundred writes a second. `PAGES_PER_SECOND` leaves a fifth, for these. */
const PAGES_PER_CLOSED_PAGE = 4;

type EndDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;
export type EndAllDeps = EndDeps & Pick<Deps, 'pagesPerSecond'>;

export async function closeCheckouts(deps: EndAllDeps, { eventId }: { eventId: string }): Promise<void> {
  await releaseExpired(deps, { eventId, wait: true });
  const failed = await endCheckouts(deps, await reservedOrders(deps.db, eventId));
  // The job is retried. Checkouts that are still open after that expire on their own.
  if (failed > 0) throw new Error(`${failed} checkouts of event ${eventId} are still open`);
}

/** At a quarter of the rate at which pages open. Returns how many could not be ended: one must not block the others. */
export async function endCheckouts(deps: EndAllDeps, orders: readonly OrderRef[]): Promise<number> {
  const { pagesPerSecond } = deps;
  const nextTurn = turnsPerSecond(pagesPerSecond === null ? null : pagesPerSecond / PAGES_PER_CLOSED_PAGE);
  let failed = 0;
  await mapConcurrently(orders, CONCURRENCY, async (order) => {
    await nextTurn();
    try {
      await endCheckout(deps, order);
    } catch (error) {
      failed += 1;
      deps.log.warn({ err: error, orderId: order.orderId }, 'could not end a checkout');
    }
  });
  return failed;
}

/**
 * Expires the payment page, then releases the reservation. In the opposite order, the buyer could pay for tickets that
 * were just sold to someone else. A payment made in the meantime is fulfilled.
 */
export async function endCheckout(deps: EndDeps, order: OrderRef): Promise<void> {
  // Without a session, no buyer has seen a payment page.
  if ((await findSessionId(deps.db, order)) === null && (await releaseUnopened(deps, order))) return;

  const sessionId = await findSessionId(deps.db, order);
  if (sessionId === null || isFreeSession(sessionId)) return;
  const session = await deps.paymentProcessor.closeCheckout(sessionId);
  if (session) return applySession(deps, order, session);
  // A session that Stripe doesn't know can't be paid.
  deps.log.error({ orderId: order.orderId, sessionId }, 'Stripe does not know the checkout session of an order');
  await releaseReservation(deps, order);
}

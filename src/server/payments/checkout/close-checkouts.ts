/**
 * Ends every open checkout of a cancelled event: first the payment page, then the hold. Whoever pays in between
 * is found to have paid, and gets the money back.
 */

import type { OrderRef } from '#domain/order.ts';
import { findSessionId, reservedOrders } from '#server/orders/orders.sql.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { releaseReservation, releaseUnopened } from '#server/orders/release-reservation.ts';
import { mapConcurrently } from '#server/platform/concurrency.ts';
import type { Deps } from '#server/platform/deps.ts';
import { applySession } from './settle-order.ts';

const AT_ONCE = 8;

export async function closeCheckouts(
  deps: Pick<Deps, 'db' | 'cards' | 'log'>,
  { eventId }: { eventId: string },
): Promise<void> {
  await releaseExpired(deps, { eventId, wait: true });
  let failed = 0;
  await mapConcurrently(await reservedOrders(deps.db, eventId), AT_ONCE, async (order) => {
    try {
      await endCheckout(deps, order);
    } catch (error) {
      failed += 1;
      deps.log.warn({ err: error, orderId: order.orderId }, 'a checkout of a cancelled event could not be closed');
    }
  });
  // The queue tries again; what is left by then ends with its own time, too.
  if (failed > 0) throw new Error(`${failed} checkouts of event ${eventId} are still open`);
}

/**
 * Ends an order's payment page, then its hold: the other way round, somebody could pay for tickets that were just sold
 * to another. Whoever paid in the last moment is found to have paid.
 */
export async function endCheckout(deps: Pick<Deps, 'db' | 'cards' | 'log'>, order: OrderRef): Promise<void> {
  // Without a session nobody was ever sent to a payment page.
  if ((await findSessionId(deps.db, order)) === null && (await releaseUnopened(deps, order))) return;

  const sessionId = await findSessionId(deps.db, order);
  if (sessionId === null) return;
  const session = await deps.cards.closeCheckout(sessionId);
  if (session) return applySession(deps, order, session);
  // What the card company does not know, nobody can pay there.
  deps.log.error({ orderId: order.orderId, sessionId }, 'the card company does not know the payment page of an order');
  await releaseReservation(deps, order);
}

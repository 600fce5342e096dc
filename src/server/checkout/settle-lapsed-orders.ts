/**
 * Ends the holds that are over. The payment page is closed first and the tickets are given back after:
 * the other way round, somebody could pay for tickets that were just sold to another.
 */
import type { Deps } from '#server/deps.ts';
import { lapsedOrders } from './checkout.sql.ts';
import { releaseHold } from './release-hold.ts';
import { applySession } from './settle-order.ts';

const AT_ONCE = 200;

export async function settleLapsedOrders(deps: Pick<Deps, 'db' | 'cards' | 'log'>): Promise<void> {
  for (const { sessionId, ...order } of await lapsedOrders(deps.db, AT_ONCE)) {
    try {
      // Without a session nobody was ever sent to a payment page.
      if (sessionId === null) await releaseHold(deps, order);
      else await applySession(deps, order, await deps.cards.closeCheckout(sessionId));
    } catch (error) {
      // One order that the card company cannot answer for must not keep the others' tickets locked.
      deps.log.warn({ err: error, orderId: order.orderId }, 'a lapsed order could not be settled');
    }
  }
}

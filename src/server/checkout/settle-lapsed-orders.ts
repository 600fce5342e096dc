/** Ends the holds that are over. */
import type { Deps } from '#server/deps.ts';
import { takeLapsedOrders } from './checkout.sql.ts';
import { endCheckout } from './end-checkout.ts';

const AT_ONCE = 200;

export async function settleLapsedOrders(deps: Pick<Deps, 'db' | 'cards' | 'log'>, atOnce = AT_ONCE): Promise<void> {
  for (const order of await takeLapsedOrders(deps.db, atOnce)) {
    try {
      await endCheckout(deps, order);
    } catch (error) {
      // One order that the card company cannot answer for must not keep the others' tickets locked.
      deps.log.warn({ err: error, orderId: order.orderId }, 'a lapsed order could not be settled');
    }
  }
}

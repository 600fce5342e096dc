/**
 * Ends every open checkout of a cancelled event: first the payment page, then the hold. Whoever pays in between
 * is found to have paid, and gets the money back.
 */
import type { Deps } from '#server/deps.ts';
import { heldOrders } from './checkout.sql.ts';
import { endCheckout } from './end-checkout.ts';

export async function closeCheckouts(
  deps: Pick<Deps, 'db' | 'cards' | 'log'>,
  { eventId }: { eventId: string },
): Promise<void> {
  let failed = 0;
  for (const order of await heldOrders(deps.db, eventId)) {
    try {
      await endCheckout(deps, order);
    } catch (error) {
      failed += 1;
      deps.log.warn({ err: error, orderId: order.orderId }, 'a checkout of a cancelled event could not be closed');
    }
  }
  // The queue tries again; what is left by then ends with its own time, too.
  if (failed > 0) throw new Error(`${failed} checkouts of event ${eventId} are still open`);
}

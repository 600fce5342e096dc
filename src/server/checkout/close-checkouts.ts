/**
 * Ends every open checkout of a cancelled event: first the payment page, then the hold. Whoever pays in between
 * is found to have paid, and gets the money back.
 */
import type { Deps } from '#server/deps.ts';
import { severalAtATime } from '#server/several-at-a-time.ts';
import { heldOrders } from './checkout.sql.ts';
import { endCheckout } from './end-checkout.ts';
import { giveBackHolds } from './give-back-holds.ts';

const AT_ONCE = 8;

export async function closeCheckouts(
  deps: Pick<Deps, 'db' | 'cards' | 'log'>,
  { eventId }: { eventId: string },
): Promise<void> {
  await giveBackHolds(deps, { eventId, waits: true });
  let failed = 0;
  await severalAtATime(await heldOrders(deps.db, eventId), AT_ONCE, async (order) => {
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

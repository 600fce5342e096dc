import type { OrderRef } from '#domain/order.ts';
import { claimExpiredOrders } from '#server/orders/orders.sql.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { mapConcurrently } from '#server/platform/concurrency.ts';
import type { Deps } from '#server/platform/deps.ts';
import { endCheckout } from './close-checkouts.ts';

const BATCH_SIZE = 200;

/** Stays below Stripe's rate limit. */
const CONCURRENCY = 8;

/** The job runs every minute. */
const DURATION_MAX_MS = 45_000;

/** Ends the holds that are over. Those with a payment page end there first: their buyers may be paying. */
export async function settleLapsedOrders(deps: Pick<Deps, 'db' | 'cards' | 'log'>, atMost = AT_MOST): Promise<void> {
  await releaseExpired(deps, { wait: true }).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'holds without a payment page could not be given back'),
  );
  const until = performance.now() + DURATION_MAX_MS;
  const tried = new Set<string>();
  let lapsed = await claimExpiredOrders(deps.db, atMost);
  // Nobody is asked about the same order twice: it may have to wait for its buyer's bank.
  while (lapsed.length > 0 && performance.now() < until && !lapsed.some(({ orderId }) => tried.has(orderId))) {
    for (const { orderId } of lapsed) tried.add(orderId);
    await endAll(deps, lapsed);
    lapsed = await claimExpiredOrders(deps.db, atMost);
  }
}

async function endAll(deps: Pick<Deps, 'db' | 'cards' | 'log'>, orders: readonly OrderRef[]): Promise<void> {
  await mapConcurrently(orders, CONCURRENCY, async (order) => {
    try {
      await endCheckout(deps, order);
    } catch (error) {
      // One failing order must not block the others.
      deps.log.warn({ err: error, orderId: order.orderId }, 'could not settle a lapsed order');
    }
  });
}

import { claimExpiredOrders } from '#server/orders/core/orders.sql.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { type EndAllDeps, endCheckouts } from './close-checkouts.ts';

const BATCH_SIZE = 200;

/** The job runs every minute. */
const DURATION_MAX_MS = 45_000;

/** Ends expired reservations. A payment page is closed first, because its buyer may be paying. */
export async function settleLapsedOrders(deps: EndAllDeps, batchSize = BATCH_SIZE): Promise<void> {
  await releaseExpired(deps, { wait: true }).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'could not release expired reservations without a payment page'),
  );
  const until = performance.now() + DURATION_MAX_MS;
  const tried = new Set<string>();
  let lapsed = await claimExpiredOrders(deps.db, batchSize);
  // Each order is tried once per run: its payment may take days.
  while (lapsed.length > 0 && performance.now() < until && !lapsed.some(({ orderId }) => tried.has(orderId))) {
    for (const { orderId } of lapsed) tried.add(orderId);
    await endCheckouts(deps, lapsed);
    lapsed = await claimExpiredOrders(deps.db, batchSize);
  }
}

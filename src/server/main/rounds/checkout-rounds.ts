/**
 * Work that a sale needs more often than the job schedule allows: serving the checkout queue and releasing expired reservations.
 * Every server runs it; the database admits one at a time.
 */
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { dequeueCheckouts } from '#server/payments/checkout/dequeue-checkouts.ts';
import type { PageDeps } from '#server/payments/checkout/open-payment-page.ts';
import type { QueueTimes } from '#server/platform/jobs/queue-times.ts';
import { repeat } from './repeat.ts';

/** Each poll opens as many pages as the token bucket has accumulated. */
const MIN_PAUSE_MS = 100;
/** Concurrent Stripe calls of this process. */
const MAX_CONCURRENT_PAGES = 64;

export interface CheckoutRounds {
  /** Resolves once all work in progress is done. */
  stop(): Promise<void>;
}

export function startCheckoutRounds(deps: PageDeps, { roundMs }: Pick<QueueTimes, 'roundMs'>): CheckoutRounds {
  const queue = checkoutQueueOf(deps.db);
  const opening = new Set<Promise<void>>();
  let isQueueEmpty = true;

  const maintenance = repeat(
    deps,
    { onFailure: 'releasing expired reservations failed', pauseMs: roundMs },
    async () => {
      await queue.flushPolls();
      await releaseExpired(deps, { wait: false });
      return roundMs;
    },
  );
  const pages = repeat(deps, { onFailure: 'serving the checkout queue failed', pauseMs: roundMs }, async () => {
    const { pages: opened, nextInMs } = await dequeueCheckouts(deps, MAX_CONCURRENT_PAGES - opening.size);
    for (const page of opened) {
      opening.add(page);
      void page.finally(() => opening.delete(page));
    }
    isQueueEmpty = nextInMs === null;
    if (nextInMs === null) return roundMs;
    return Math.min(roundMs, Math.max(MIN_PAUSE_MS, nextInMs));
  });
  // Only the first buyer in the queue triggers a poll; afterwards the rate determines the next one.
  queue.onJoin(() => {
    if (!isQueueEmpty) return;
    isQueueEmpty = false;
    pages.runNow();
  });

  return {
    async stop() {
      await Promise.all([maintenance.stop(), pages.stop()]);
      await Promise.all(opening);
      await queue.flushPolls();
    },
  };
}

/**
 * What a sale needs sooner than the queue's clock ticks: pages for those in line, and the tickets of those who left. Every
 * server does it; the database lets one through at a time.
 */

import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { releaseExpired } from '#server/orders/release-expired.ts';
import { dequeueCheckouts } from '#server/payments/checkout/dequeue-checkouts.ts';
import type { PageDeps } from '#server/payments/checkout/open-payment-page.ts';
import type { QueueTimes } from '#server/platform/jobs/queue-times.ts';

/** Fewer looks than pages: each look takes as many as the pace has saved up meanwhile. */
const SHORTEST_PAUSE_MS = 100;
/** Calls under way to the card company, from this process. */
const PAGES_AT_ONCE = 64;

export interface CheckoutRounds {
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

export function startCheckoutRounds(deps: PageDeps, { roundMs }: Pick<QueueTimes, 'roundMs'>): CheckoutRounds {
  const line = checkoutQueueOf(deps.db);
  const opening = new Set<Promise<void>>();
  let nobodyWaits = true;

  const keeping = repeat(deps, { onFailure: 'the holds could not be looked after', pauseMs: roundMs }, async () => {
    await line.flushPolls();
    await releaseExpired(deps, { wait: false });
    return roundMs;
  });
  const pages = repeat(
    deps,
    { onFailure: 'the line for payment pages could not be served', pauseMs: roundMs },
    async () => {
      const { pages: opened, nextInMs } = await dequeueCheckouts(deps, PAGES_AT_ONCE - opening.size);
      for (const page of opened) {
        opening.add(page);
        void page.finally(() => opening.delete(page));
      }
      nobodyWaits = nextInMs === null;
      if (nextInMs === null) return roundMs;
      return Math.min(roundMs, Math.max(SHORTEST_PAUSE_MS, nextInMs));
    },
  );
  // Only the first who waits is news; after that the pace says when to look.
  line.onJoin(() => {
    if (!nobodyWaits) return;
    nobodyWaits = false;
    pages.hurry();
  });

  return {
    async stop() {
      await Promise.all([keeping.stop(), pages.stop()]);
      await Promise.all(opening);
      await line.flushPolls();
    },
  };
}

interface Repeated {
  /** The next turn begins at once, unless one is under way. */
  hurry(): void;
  stop(): Promise<void>;
}

interface Failing {
  /** For the log. */
  onFailure: string;
  /** Before it is tried again. */
  pauseMs: number;
}

/** Again and again, with the pause that the work answers. */
function repeat({ log }: Pick<PageDeps, 'log'>, failing: Failing, work: () => Promise<number>): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let isStopped = false;

  function turn(): void {
    clearTimeout(timer);
    if (underWay || isStopped) return;
    underWay = work()
      .catch((error: unknown) => {
        log.warn({ err: error }, failing.onFailure);
        return failing.pauseMs;
      })
      .then((pauseMs) => {
        underWay = null;
        if (!isStopped) timer = setTimeout(turn, pauseMs);
      });
  }

  turn();
  return {
    hurry: turn,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

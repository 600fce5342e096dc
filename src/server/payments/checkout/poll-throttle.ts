/** Throttles reads of a payment page at Stripe: clients may poll at will, but Stripe limits our calls per second. */
import { LRUCache } from 'lru-cache';
import { CHECKOUT_LOOKUP_INTERVAL_SECONDS } from '#domain/limits.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';

type PageState = CheckoutSession['state'] | null;

const INTERVAL_MS = CHECKOUT_LOOKUP_INTERVAL_SECONDS * 1000;
const TRACKED_MAX = 10_000;

export const pollThrottleOf = perDatabase(() => {
  /** Last poll of each order. */
  const polls = new LRUCache<string, Date>({ max: TRACKED_MAX });

  return {
    /** Returns `null` if the order was polled within the interval, even if that poll is still pending. */
    async once(orderId: string, now: Date, poll: () => Promise<PageState>): Promise<PageState> {
      const last = polls.peek(orderId);
      if (last && now.getTime() - last.getTime() < INTERVAL_MS) return null;

      polls.set(orderId, now);
      try {
        return await poll();
      } catch (error) {
        // A failed poll doesn't count.
        polls.delete(orderId);
        throw error;
      }
    },
  };
});

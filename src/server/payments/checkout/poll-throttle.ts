/**
 * Whoever has the link of a checkout may ask as often as they like, and the card company answers only so many questions of ours
 * a second. So each of its pages is looked at once in a while.
 */

import { CHECKOUT_LOOKUP_INTERVAL_SECONDS } from '#domain/limits.ts';
import { perDatabase } from '#server/platform/database.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';

type PageState = CheckoutSession['state'] | null;

const ONCE_IN_MS = CHECKOUT_LOOKUP_INTERVAL_SECONDS * 1000;
const KNOWN_AT_MOST = 10_000;

export const pollThrottleOf = perDatabase(() => {
  /** When each order's page was last looked at, longest ago first. */
  const looks = new Map<string, Date>();

  return {
    /** `null` for those who come too soon after another, also while it is not answered yet. */
    async once(orderId: string, now: Date, look: () => Promise<PageState>): Promise<PageState> {
      const last = looks.get(orderId);
      if (last && now.getTime() - last.getTime() < ONCE_IN_MS) return null;

      const [oldest] = looks.keys();
      if (looks.size >= KNOWN_AT_MOST && oldest !== undefined) looks.delete(oldest);
      looks.delete(orderId);
      looks.set(orderId, now);
      try {
        return await look();
      } catch (error) {
        // Nothing was learned.
        looks.delete(orderId);
        throw error;
      }
    },
  };
});

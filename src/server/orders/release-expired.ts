/**
 * Releases expired reservations that never had a payment page. They can't have been paid, so Stripe is not asked.
 * Thousands per statement, by one server at a time.
 */
import type { Deps } from '#server/platform/deps.ts';
import { releaseExpiredOrders } from './core/stock.sql.ts';

/** Smaller batches scan the index's dead rows more often; larger ones lock stock for longer. */
const BATCH_SIZE = 5_000;

interface Scope {
  /** Releases all reservations of this cancelled event, expired or not. */
  eventId?: string;
  /** Whether to wait for another server that is releasing. */
  wait: boolean;
}

/** Returns the number of released orders. */
export async function releaseExpired({ db }: Pick<Deps, 'db'>, { eventId, wait }: Scope): Promise<number> {
  let total = 0;
  let since: Date | null = null;
  for (;;) {
    const released = await releaseExpiredOrders(db, {
      atMost: BATCH_SIZE,
      since,
      eventId: eventId ?? null,
      waits: wait,
    });
    if (!released || released.released === 0) return total;
    total += released.released;
    since = released.reached;
  }
}

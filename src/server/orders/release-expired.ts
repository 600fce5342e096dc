/**
 * Gives the tickets of holds back that never had a payment page: nobody can have paid them, so the card company is not
 * asked. Thousands in a statement, by one server at a time.
 */
import type { Deps } from '#server/platform/deps.ts';
import { releaseUnopenedOrders } from './checkout-queue.sql.ts';

/** Smaller parts walk the dead rows of the index more often, larger ones keep a row of stock for longer. */
const AT_MOST = 5_000;

interface Which {
  /** Of this event, which was cancelled: all of them. Else those that are over. */
  eventId?: string;
  /** Also for another server that does the same. */
  waits: boolean;
}

/** Answers how many there were. */
export async function releaseExpired({ db }: Pick<Deps, 'db'>, { eventId, waits }: Which): Promise<number> {
  let total = 0;
  let since: Date | null = null;
  for (;;) {
    const given = await releaseUnopenedOrders(db, { atMost: AT_MOST, since, eventId: eventId ?? null, waits });
    if (!given || given.holds === 0) return total;
    total += given.holds;
    since = given.reached;
  }
}

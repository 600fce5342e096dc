import type { Deps } from '#server/deps.ts';
import { cancellationCounts } from './cancelled-events.sql.ts';

/** Of cancelled events: how many tickets' money is to go back, how much of that is done, and how much went wrong. */
export async function cancellationProgress({ db }: Pick<Deps, 'db'>, eventIds: readonly string[]) {
  const counts = await cancellationCounts(db, eventIds);
  return (eventId: string) => {
    const { refunds = 0, refunded = 0, failed = 0 } = counts.find((count) => count.eventId === eventId) ?? {};
    return { refunds, refunded, failed };
  };
}

import type { Db } from '#server/platform/database.ts';
import { disputesToReturn, eventsToReturn, markOnHold, markReturned } from './on-hold.sql.ts';
import { claimedCents } from './reversals.sql.ts';

/** Runs in the transaction that claims an event's first payout, which leaves disputed tickets out. */
export function putDisputedOnHold(tx: Db, payout: { eventId: string; payoutId: string }): Promise<void> {
  return markOnHold(tx, payout);
}

/** What a further payout of the event has to bring, and what of earlier ones is about to come back. */
export async function readReturns(tx: Db, eventId: string) {
  return { disputes: await disputesToReturn(tx, eventId), comingBackCents: await claimedCents(tx, eventId) };
}

/** Events whose further payout is due, the longest waiting first. */
export function eventsWithReturns(db: Db, limit: number): Promise<string[]> {
  return eventsToReturn(db, limit);
}

/** Runs in the transaction that claims that further payout. */
export function closeReturns(
  tx: Db,
  payout: { eventId: string; payoutId: string },
  disputeIds: readonly string[],
): Promise<void> {
  return markReturned(tx, payout, disputeIds);
}

import type { Db } from '#server/platform/database.ts';
import { disputesToReturn, eventsToReturn, eventsToReturnOf, markOnHold, markReturned } from './on-hold.sql.ts';

/** Runs in the transaction that claims the event's first payout. */
export function putDisputedOnHold(tx: Db, payout: { eventId: string; payoutId: string }): Promise<void> {
  return markOnHold(tx, payout);
}

/** Disputes to pay in an additional payout. */
export function readReturns(tx: Db, eventId: string) {
  return disputesToReturn(tx, eventId);
}

/** Events with an additional payout due, oldest first. */
export function eventsWithReturns(db: Db, limit: number): Promise<string[]> {
  return eventsToReturn(db, limit);
}

/** Events of an organization with an additional payout due, although its payouts may be on hold. */
export function eventsWithReturnsOf(db: Db, organizationId: string): Promise<string[]> {
  return eventsToReturnOf(db, organizationId);
}

/** Runs in the transaction that claims the additional payout. */
export function closeReturns(
  tx: Db,
  payout: { eventId: string; payoutId: string },
  disputeIds: readonly string[],
): Promise<void> {
  return markReturned(tx, payout, disputeIds);
}

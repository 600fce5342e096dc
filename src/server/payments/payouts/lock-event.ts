/** Holds an event as a payout does: it is not cancelled, refunded or paid out until the caller's transaction ends. */
import type { Db } from '#server/platform/database.ts';

import { lockEventById } from './payouts.sql.ts';

export async function lockEventForPayout(tx: Db, eventId: string) {
  return lockEventById(tx, eventId);
}

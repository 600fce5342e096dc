import type { Db } from '#server/platform/database.ts';
import { lockEventById } from './payouts.sql.ts';

/** Blocks cancelling, refunding and paying out the event until the transaction ends. */
export async function lockEventForPayout(tx: Db, eventId: string) {
  return lockEventById(tx, eventId);
}

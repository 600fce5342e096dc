import type { Db } from '#server/platform/database.ts';
import { unkeptDebt } from './debts.sql.ts';

/** What an organizer owes and no payout keeps yet. Stays so only for whoever holds the organizer's row. */
export async function outstandingDebt(db: Db, organizerId: string): Promise<number> {
  return Math.max(0, await unkeptDebt(db, organizerId));
}

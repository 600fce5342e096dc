import type { Db } from '#server/platform/database.ts';
import { unclaimedDebt } from './debts.sql.ts';

/** Debt that no payout deducts yet. Only stable while the caller locks the organization. */
export async function outstandingDebt(db: Db, organizationId: string): Promise<number> {
  return Math.max(0, await unclaimedDebt(db, organizationId));
}

import type { Db } from '#server/platform/database.ts';
import { type Discrepancy, openDiscrepancy, resolveDiscrepancies } from './discrepancies.sql.ts';

/** For use cases that meet a difference on their way: the operator sees it until it is gone. */
export async function recordDiscrepancy(db: Db, difference: Discrepancy): Promise<void> {
  await openDiscrepancy(db, difference);
}

export async function clearDiscrepancies(db: Db, subject: string): Promise<void> {
  await resolveDiscrepancies(db, [subject], []);
}

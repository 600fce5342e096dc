import type { Db } from '#server/platform/database.ts';
import { type Discrepancy, openDiscrepancy, resolveDiscrepancies } from './discrepancies.sql.ts';

/** For use cases that detect a discrepancy. The operator sees it until it is resolved. */
export async function recordDiscrepancy(db: Db, discrepancy: Discrepancy): Promise<void> {
  await openDiscrepancy(db, discrepancy);
}

export async function clearDiscrepancies(db: Db, subject: string): Promise<void> {
  await resolveDiscrepancies(db, [subject], []);
}

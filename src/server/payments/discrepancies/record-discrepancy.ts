import type { Db } from '#server/platform/database.ts';
import { type Difference, openDifference, resolveDifferences } from './discrepancies.sql.ts';

/** For use cases that meet a difference on their way: the operator sees it until it is gone. */
export async function noteDifference(db: Db, difference: Difference): Promise<void> {
  await openDifference(db, difference);
}

export async function forgetDifferences(db: Db, subject: string): Promise<void> {
  await resolveDifferences(db, [subject], []);
}

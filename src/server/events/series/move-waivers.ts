import { moveRedemption } from '#server/accounts/affiliates/affiliate-codes.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import { giveWaiversToEarliest } from './series.sql.ts';

/**
 * A waiver of a series is for the earliest date that isn't cancelled. A job, because it locks several dates, and the
 * call that adds, moves or cancels one has locked that one already.
 */
export async function moveWaivers(db: Db, seriesId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const { from, to } of await giveWaiversToEarliest(tx, seriesId)) await moveRedemption(tx, from, to);
  });
}

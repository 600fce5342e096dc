import { TOKENS_PER_PAYOUT } from '#domain/affiliate.ts';
import type { Db } from '#server/database.ts';
import { addTokens, addWaiver, markRewarded } from './affiliates.sql.ts';

/** Runs in the transaction that records a transferred payout, and so once for each. */
export async function rewardPayout(
  tx: Db,
  { eventId, organizerId, at }: { eventId: string; organizerId: string; at: Date },
): Promise<void> {
  await addTokens(tx, organizerId, TOKENS_PER_PAYOUT);
  const referrerId = await markRewarded(tx, eventId, at);
  if (referrerId) await addWaiver(tx, referrerId);
}

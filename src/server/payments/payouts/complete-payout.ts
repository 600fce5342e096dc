/** Completes a payout: ledger entries, reversals that waited for it, the referral reward and the email. */
import { rewardPayout } from '#server/accounts/affiliates/affiliate-codes.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import { recordPayout } from '#server/ledger/record-movements.ts';
import type { Db } from '#server/platform/database.ts';
import { queueReversals } from './claim-reversal.ts';
import { lockEventById, markPaid, type PayoutRef } from './payouts.sql.ts';

const FIRST = 1;

/** `transferId` is null if nothing was left to transfer. Only the first of concurrent calls takes effect. */
export async function completePayout(tx: Db, ref: PayoutRef, transferId: string | null): Promise<void> {
  const paid = await markPaid(tx, ref, transferId);
  if (!paid?.paidAt) return;

  const { eventId, payoutId } = ref;
  const { seq, statement, paidAt: at } = paid;
  const { organizationId } = await lockEventById(tx, eventId);
  await recordPayout(tx, { eventId, subjectId: payoutId, at }, statement);
  await queueReversals(tx, ref);
  // One reward per event, and only if money was transferred.
  if (seq === FIRST && transferId) await rewardPayout(tx, { eventId, organizationId, at });
  await emailOwners(tx, organizationId, { kind: 'payout-sent', subjectId: payoutId, params: { eventId }, now: at });
}

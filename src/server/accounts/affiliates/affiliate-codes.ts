import { codeErrors } from '#contract/affiliates.ts';
import { eventErrors } from '#contract/events.ts';
import { CODE_PRICE_TOKENS, denyCode, TOKENS_PER_PAYOUT } from '#domain/affiliate.ts';
import { normalizeCode } from '#domain/codes.ts';
import { requireOnboarded } from '#server/accounts/organization.ts';
import { isSameTaxpayer } from '#server/accounts/tax-id.ts';
import { conflict } from '#server/platform/app-error.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newAffiliateCode } from '#server/platform/ids.ts';
import {
  addTokens,
  addWaiver,
  hasRedeemed,
  insertCode,
  lockTokens,
  markRewarded,
  ownerOfUnusedCode,
  redeemUnusedCode,
  takeWaiver,
  tokensOf,
  unusedCodeOf,
} from './affiliates.sql.ts';

/** Spends the price and makes the code, both or neither; two clicks at once wait for each other. */
export async function generateCode({ db, clock }: Pick<Deps, 'db' | 'clock'>, organizer: Organizer): Promise<void> {
  await requireOnboarded({ db }, organizer);
  const { userId: organizerId } = organizer;
  await inTransaction(db, async (tx) => {
    const tokenCount = await lockTokens(tx, organizerId);
    const hasUnusedCode = (await unusedCodeOf(tx, organizerId)) !== null;
    const obstacle = denyCode({ tokenCount, hasUnusedCode });
    if (obstacle) throw conflict(codeErrors[obstacle]);

    await addTokens(tx, organizerId, -CODE_PRICE_TOKENS);
    await insertCode(tx, { code: newAffiliateCode(), ownerId: organizerId, createdAt: clock.now() });
  });
}

/** The organizer's tokens, and the code that can still be given to somebody. */
export async function readAffiliation({ db }: Pick<Deps, 'db'>, organizerId: string) {
  return { tokenCount: await tokensOf(db, organizerId), affiliateCode: await unusedCodeOf(db, organizerId) };
}

/** Runs in the transaction that records a transferred payout, and so once for each. */
export async function rewardPayout(
  tx: Db,
  { eventId, organizerId, at }: { eventId: string; organizerId: string; at: Date },
): Promise<void> {
  await addTokens(tx, organizerId, TOKENS_PER_PAYOUT);
  const referrerId = await markRewarded(tx, eventId, at);
  if (referrerId) await addWaiver(tx, referrerId);
}

interface NewEvent {
  organizerId: string;
  eventId: string;
  affiliateCode: string | undefined;
}

/**
 * Whether the event being created bears no processing fee: by another organizer's code, or by a waiver earned
 * before. A code that does not count ends the creation: nobody gets an event without the waiver they meant to have.
 * The caller's transaction holds the organizer, so of two events created at once one sees the other's code.
 */
export async function waiveProcessingFee(
  deps: Pick<Deps, 'db' | 'appSecret'>,
  { organizerId, eventId, affiliateCode }: NewEvent,
): Promise<boolean> {
  // An earned waiver is kept for later where a code does the same.
  if (!affiliateCode) return takeWaiver(deps.db, organizerId);

  const code = normalizeCode(affiliateCode);
  const ownerId = await ownerOfUnusedCode(deps.db, code);
  // A second account of the owner is the owner, and learns no more than that the code is of no use to it.
  const isOwn = ownerId === null || ownerId === organizerId || (await isSameTaxpayer(deps, organizerId, ownerId));
  if (isOwn) throw conflict(eventErrors['unknown-affiliate-code']);
  // A referral brings somebody new. Two who pass codes back and forth would never pay the fee.
  if (await hasRedeemed(deps.db, organizerId)) throw conflict(eventErrors['referred-before']);

  const isRedeemed = await redeemUnusedCode(deps.db, { code, organizerId, eventId });
  if (!isRedeemed) throw conflict(eventErrors['unknown-affiliate-code']);
  return true;
}

import type { affiliateCodes } from '#contract/app/affiliates.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { CODE_PRICE_TOKENS, codeState, denyCode, TOKENS_PER_PAYOUT } from '#domain/accounts/affiliate.ts';
import { normalizeCode } from '#domain/codes.ts';
import { requireOnboarded } from '#server/accounts/organization.ts';
import { authorize } from '#server/accounts/policies.ts';
import { isSameTaxpayer } from '#server/accounts/tax-id.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor, Organizer } from '#server/platform/http/callers.ts';
import { newAffiliateCode } from '#server/platform/ids.ts';
import {
  addTokens,
  addWaiver,
  codesOf,
  consumeWaiver,
  findUnusedCode,
  findUnusedCodeOwner,
  hasRedeemed,
  insertCode,
  lockTokens,
  markExpiredCodes,
  markRewarded,
  moveRedeemedCode,
  redeemUnusedCode,
} from './affiliates.sql.ts';

/** Spends the tokens and creates the code atomically. Concurrent requests are serialized. */
export async function generateCode({ db, clock }: Pick<Deps, 'db' | 'clock'>, organizer: Organizer): Promise<void> {
  authorize(organizer, 'affiliate-code.generate');
  await requireOnboarded({ db }, organizer);
  const { organizationId } = organizer;
  await inTransaction(db, async (tx) => {
    const tokenCount = await lockTokens(tx, organizationId);
    await markExpiredCodes(tx, organizationId);
    const hasUnusedCode = (await findUnusedCode(tx, organizationId)) !== null;
    const denial = denyCode({ tokenCount, hasUnusedCode });
    if (denial) throw new AppError(`affiliate-code.${denial}`);

    await addTokens(tx, organizationId, -CODE_PRICE_TOKENS);
    const at = clock.now();
    await insertCode(tx, { code: newAffiliateCode(), ownerId: organizationId, createdAt: at });
    await recordAuditEvent(tx, { action: 'generate-affiliate-code', by: organizer, subject: organizationId, at });
  });
}

const CODES_MAX = 100;

export async function listAffiliateCodes(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
): Promise<ReplyOf<typeof affiliateCodes>> {
  authorize(actor, 'affiliate-code.generate');
  const rows = await codesOf(db, actor.organizationId, CODES_MAX);
  return {
    codes: rows.map((row) => ({ code: row.code, state: codeState(row), createdAt: row.createdAt.toISOString() })),
  };
}

/** The organization's unused code. */
export const readAffiliateCode = ({ db }: Pick<Deps, 'db'>, organizationId: string): Promise<string | null> =>
  findUnusedCode(db, organizationId);

/** Runs in the transaction that records the transferred payout, so it applies once per payout. */
export async function rewardPayout(
  tx: Db,
  { eventId, organizationId, at }: { eventId: string; organizationId: string; at: Date },
): Promise<void> {
  await addTokens(tx, organizationId, TOKENS_PER_PAYOUT);
  const referrerId = await markRewarded(tx, eventId, at);
  if (referrerId) await addWaiver(tx, referrerId);
}

/** Of an event that is deleted before it was billed. A code that it redeemed stays redeemed. */
export const returnWaiver = (tx: Db, organizationId: string): Promise<void> => addWaiver(tx, organizationId);

/** The waiver of a code goes to another date of its series, and so does the reward for that date's payout. */
export const moveRedemption = (tx: Db, fromEventId: string, toEventId: string): Promise<void> =>
  moveRedeemedCode(tx, fromEventId, toEventId);

interface NewEvent {
  organizationId: string;
  eventId: string;
  affiliateCode: string | undefined;
}

/**
 * Waives the processing fee of an event that is published, with another organizer's code or an earned waiver. An invalid code throws:
 * an organizer who enters a code expects the waiver. The caller locks the organization, so concurrent events can't both
 * redeem a code.
 */
export async function waiveProcessingFee(
  deps: Pick<Deps, 'db' | 'appSecret'>,
  { organizationId, eventId, affiliateCode }: NewEvent,
): Promise<boolean> {
  // A code takes precedence, so an earned waiver is kept for a later event.
  if (!affiliateCode) return consumeWaiver(deps.db, organizationId);

  const code = normalizeCode(affiliateCode);
  const ownerId = await findUnusedCodeOwner(deps.db, code);
  // Another organization of the code's owner gets the same error as an unknown code.
  const isOwn = ownerId === null || ownerId === organizationId || (await isSameTaxpayer(deps, organizationId, ownerId));
  if (isOwn) throw new AppError('event.unknown-affiliate-code');
  // One redemption per organization: otherwise two could trade codes and never pay the fee.
  if (await hasRedeemed(deps.db, organizationId)) throw new AppError('event.referred-before');

  const isRedeemed = await redeemUnusedCode(deps.db, { code, organizationId, eventId });
  if (!isRedeemed) throw new AppError('event.unknown-affiliate-code');
  return true;
}

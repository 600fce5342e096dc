import { eventRefusals } from '#contract/events.ts';
import { normalizeCode } from '#domain/codes.ts';
import { isSameTaxpayer } from '#server/accounts/is-same-taxpayer.ts';
import type { Deps } from '#server/deps.ts';
import { conflict } from '#server/refusal.ts';
import { hasRedeemed, ownerOfUnusedCode, redeemUnusedCode, takeWaiver } from './affiliates.sql.ts';

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
  if (isOwn) throw conflict(eventRefusals['unknown-affiliate-code']);
  // A referral brings somebody new. Two who pass codes back and forth would never pay the fee.
  if (await hasRedeemed(deps.db, organizerId)) throw conflict(eventRefusals['referred-before']);

  const isRedeemed = await redeemUnusedCode(deps.db, { code, organizerId, eventId });
  if (!isRedeemed) throw conflict(eventRefusals['unknown-affiliate-code']);
  return true;
}

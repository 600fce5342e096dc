import { eventRefusals } from '#contract/events.ts';
import { normalizeCode } from '#domain/codes.ts';
import type { Db } from '#server/database.ts';
import { conflict } from '#server/refusal.ts';
import { redeemUnusedCode, takeWaiver } from './affiliates.sql.ts';

/**
 * Whether the event being created bears no processing fee: by another organizer's code, or by a waiver earned
 * before. A code that does not count ends the creation: nobody gets an event without the waiver they meant to have.
 */
export async function waiveProcessingFee(
  tx: Db,
  { organizerId, eventId, affiliateCode }: { organizerId: string; eventId: string; affiliateCode: string | undefined },
): Promise<boolean> {
  // An earned waiver is kept for later where a code does the same.
  if (!affiliateCode) return takeWaiver(tx, organizerId);

  const isRedeemed = await redeemUnusedCode(tx, { code: normalizeCode(affiliateCode), organizerId, eventId });
  if (!isRedeemed) throw conflict(eventRefusals['unknown-affiliate-code']);
  return true;
}

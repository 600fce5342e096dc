/** The affiliate program: tokens buy codes, a code waives another organizer's processing fee. */

export const STARTING_TOKENS = 3;
export const CODE_PRICE_TOKENS = 1;
/** Earned each time an event pays out. */
export const TOKENS_PER_PAYOUT = 1;

/** An unused code expires. */
export const CODE_MONTHS = 12;

export const codeStates = ['unused', 'waiting', 'rewarded', 'expired'] as const;

/** `waiting` for the payout of the event that was created with it. */
export type CodeState = (typeof codeStates)[number];

export function codeState(code: { redeemedAt: Date | null; rewardedAt: Date | null; isExpired: boolean }): CodeState {
  if (code.rewardedAt) return 'rewarded';
  if (code.redeemedAt) return 'waiting';
  return code.isExpired ? 'expired' : 'unused';
}

export type CodeDenial = 'unused-code' | 'too-few-tokens';

/** One unused code at a time: codes are for sharing, not stockpiling. */
export function denyCode(organizer: { tokenCount: number; hasUnusedCode: boolean }): CodeDenial | null {
  if (organizer.hasUnusedCode) return 'unused-code';
  return organizer.tokenCount < CODE_PRICE_TOKENS ? 'too-few-tokens' : null;
}

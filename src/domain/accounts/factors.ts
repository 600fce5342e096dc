/** Second factors: what a person shows besides the password. */

/** An authenticator app (TOTP) or a passkey. */
export type FactorKind = 'totp' | 'passkey';

/** `email`: a code that is sent to the account's address. */
export type FactorQuestionKind = FactorKind | 'email';

export const PASSKEYS_MAX = 10;
export const FACTOR_NAME_MAX = 50;
export const RECOVERY_CODES = 10;

/** A login waits so long for its second step. */
export const CHALLENGE_MINUTES = 5;
/** An email may take a while. */
export const EMAILED_CODE_MINUTES = 15;

export const TOTP_SECONDS = 30;
/** Clocks of phones differ from ours by at most this many steps. */
export const TOTP_DRIFT = 1;

const RECOVERY_CODE = /^[a-z2-7]{10}$/;

/** Without its hyphen and spaces; `null` if it can't be one. */
export function recoveryCodeFrom(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  return RECOVERY_CODE.test(code) ? code : null;
}

export type RemovalDenial = 'last-factor';

/** An operator replaces the last factor, and never goes without one where money is real. */
export function denyRemoval({ isRequired, count }: { isRequired: boolean; count: number }): RemovalDenial | null {
  return isRequired && count <= 1 ? 'last-factor' : null;
}

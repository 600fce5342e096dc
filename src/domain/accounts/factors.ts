/** Second factors: what a person shows besides the password. */

/** An authenticator app (TOTP) or a passkey. */
export type FactorKind = 'totp' | 'passkey';

/** `email`: a code that is sent to the account's address. */
export type FactorQuestionKind = FactorKind | 'email';

/** What a login showed last: the password, if there is no factor. A passkey alone stands for both. */
export type LoginProof = 'password' | FactorKind | 'recovery-code' | 'emailed-code' | 'passkey-alone';

export const PASSKEYS_MAX = 10;
export const FACTOR_NAME_MAX = 50;
export const RECOVERY_CODES = 10;

/** A login waits so long for its second step. */
export const CHALLENGE_MINUTES = 5;
/** An email may take a while; OWASP allows no more. */
export const EMAILED_CODE_MINUTES = 10;

export const TOTP_SECONDS = 30;
/** Clocks of phones differ from ours by at most this many steps. */
export const TOTP_DRIFT = 1;

/** 120 random bits: too many to guess from a plain hash. */
export const RECOVERY_CODE_LENGTH = 24;

/** Without its hyphens and spaces; `null` if it can't be one. */
export function recoveryCodeFrom(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  return code.length === RECOVERY_CODE_LENGTH && /^[a-z2-7]+$/.test(code) ? code : null;
}

export type RemovalDenial = 'last-factor';

/** An operator replaces the last factor, and never goes without one where money is real. */
export function denyRemoval({ isRequired, count }: { isRequired: boolean; count: number }): RemovalDenial | null {
  return isRequired && count <= 1 ? 'last-factor' : null;
}

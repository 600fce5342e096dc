/** Codes that people type: confirmation numbers, attendant codes, affiliate codes. */

/** Confirmation numbers have ten digits and never start with 0, which spreadsheets and keypads drop. */
export const SMALLEST_CONFIRMATION_NUMBER = 1_000_000_000;
export const CONFIRMATION_NUMBER_LIMIT = 10_000_000_000;

/** Crockford's base32: no I, L, O or U, so a code survives being read aloud at a loud door. */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ATTENDANT_CODE_LENGTH = 10;
export const AFFILIATE_CODE_LENGTH = 12;

/** Ignores case, spaces and hyphens; reads O as 0, and I or L as 1. */
export function normalizeCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** The codes that people type: a ticket's confirmation number, an event's attendant code, an affiliate code. */

/** Confirmation numbers: ten digits, the first not 0, so that no spreadsheet or keypad eats a leading zero. */
export const SMALLEST_CONFIRMATION_NUMBER = 1_000_000_000;
export const CONFIRMATION_NUMBER_LIMIT = 10_000_000_000;

/** Crockford's base 32: no I, L, O or U, so a code survives being read aloud at a loud door. */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ATTENDANT_CODE_LENGTH = 10;
export const AFFILIATE_CODE_LENGTH = 12;

/** What the person meant: any case, O for 0, I or L for 1; spaces and hyphens do not count. */
export function normalizeCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

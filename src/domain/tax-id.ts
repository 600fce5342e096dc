/** US tax ids: nine digits, of a person or an organization. */

const ASCENDING = '0123456789';
const DESCENDING = '9876543210';

/** Recognizes placeholder numbers: digits counting up or down, or a single repeated digit. */
export function isSampleTaxId(digits: string): boolean {
  return ASCENDING.includes(digits) || DESCENDING.includes(digits) || /^(\d)\1*$/.test(digits);
}

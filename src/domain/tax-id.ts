/** Tax ids: nine digits, a person's or an organization's. */

const UP = '0123456789';
const DOWN = '9876543210';

/** A number as every example and every first try has it: counted up or down, or one digit throughout. It says nothing about who wrote it. */
export function isSampleTaxId(digits: string): boolean {
  return UP.includes(digits) || DOWN.includes(digits) || /^(\d)\1*$/.test(digits);
}

/** Amounts are whole US cents everywhere; dollars exist only on the wire and on screens. */

/**
 * Parses a price such as `25`, `25.5`, `"25.50"` or `"$1,250"`; `null` unless it is a plain amount with at most two
 * decimals. Parsed as text, because `19.99 * 100` is 1998.9999999999998.
 */
export function centsOf(price: string | number): number | null {
  const text = String(price)
    .trim()
    .replace(/^\$/, '')
    .replace(/,(?=\d{3}(\D|$))/g, '');
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** Dollars for the wire: 2550 becomes 25.5. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** Exact text for files, always with two decimals: 2550 becomes `25.50`. */
export function exactDollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

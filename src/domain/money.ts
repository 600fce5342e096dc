/** Money as the product keeps it: whole US cents. Dollars exist only on the wire and on the screen. */

/**
 * Cents of a price as a person or a program writes it: `25`, `25.5`, `"25.50"`, `"$1,250"`.
 * Returns `null` for anything that is not a plain amount with at most two decimals.
 * Read as text, never through a float: `19.99 * 100` is 1998.9999999999998.
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

/** The wire's dollars: 2550 cents are 25.5. */
export function dollarsOf(cents: number): number {
  return cents / 100;
}

/** The wire's dollars as formatCents writes them. Rounded, because a sum may carry a float's dust. */
export const formatDollars = (dollars: number): string => formatCents(Math.round(dollars * 100));

/** `$1,250.00`, the way every screen and mail writes money. */
export function formatCents(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

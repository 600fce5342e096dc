/**
 * Whether every text in it can be kept as it is: PostgreSQL stores no U+0000, and half a surrogate pair, which is no
 * character, either fails there or comes back as another one.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

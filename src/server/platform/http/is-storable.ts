/**
 * Whether PostgreSQL can store every string in the value unchanged. It rejects U+0000, and a lone surrogate either fails or is
 * replaced.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

/** Whether the character U+0000 hides anywhere in it: PostgreSQL stores no text that holds one. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}

/** Null if blank, undefined unless it is a whole number from 1 to `max`. */
export function typedCount(value: string | number = '', max: number): number | null | undefined {
  const text = String(value).trim();
  if (text === '') return null;
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= max ? count : undefined;
}

/** The list holds hashes instead of numbers (`src/domain/offline-list.ts`). */
export async function hashNumber(
  confirmationNumber: string,
  { salt, bits }: { salt: string; bits: number },
): Promise<number> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(salt + confirmationNumber));
  return new DataView(digest).getUint32(0) >>> (32 - bits);
}

/** Browsers offer hashing on https only. Without it, a device asks the server about each ticket. */
export const canHash = () => 'subtle' in crypto;

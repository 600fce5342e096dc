/** How a number is found in the list, which holds no numbers (`src/domain/offline-list.ts`). */
export async function hashOfNumber(
  confirmationNumber: string,
  { salt, bits }: { salt: string; bits: number },
): Promise<number> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(salt + confirmationNumber));
  return new DataView(digest).getUint32(0) >>> (32 - bits);
}

/** Browsers hash over https only: elsewhere a device asks the server for each ticket. */
export const canHash = () => 'subtle' in crypto;

/** The hashes of the door's list; how long they are is `src/domain/offline-list.ts`' business. */
import { createHmac, hash } from 'node:crypto';
import { deriveKey } from '#server/platform/secrets.ts';

/** Constant for each event: two lists under two salts would together tell far more of a number than either. */
export function saltOf(appSecret: string, eventId: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'door list')).update(eventId).digest('hex');
}

/** The first bits of the SHA-256 of salt and number, so that a shorter hash is the beginning of a longer one. */
export function hashNumber(salt: string, confirmationNumber: string, bits: number): number {
  return hash('sha256', salt + confirmationNumber, 'buffer').readUInt32BE(0) >>> (32 - bits);
}

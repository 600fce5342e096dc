/** Hashes of the offline ticket list. Their length is decided in `src/domain/offline-list.ts`. */
import { createHmac, hash } from 'node:crypto';
import { type AppSecret, deriveKey } from '#server/platform/secrets.ts';

/** Constant per event and app secret: two lists with different salts would together reveal far more of a number than one. */
export function saltOf(appSecret: AppSecret, eventId: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'door list')).update(eventId).digest('hex');
}

/** The first bits of SHA-256 of salt and number, so that a shorter hash is a prefix of a longer one. */
export function hashNumber(salt: string, confirmationNumber: string, bits: number): number {
  return hash('sha256', salt + confirmationNumber, 'buffer').readUInt32BE(0) >>> (32 - bits);
}

import { hkdfSync } from 'node:crypto';

/** A 256-bit key for one purpose. Keys of different purposes tell nothing of each other or of the secret. */
export function deriveKey(appSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appSecret, '', `handstamp ${purpose}`, 32));
}

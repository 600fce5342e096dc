import { createCipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** Names the key and the layout, for the day when either changes. */
const VERSION = Buffer.of(1);
const NONCE_BYTES = 12;

/**
 * AES-256-GCM: version, nonce, tag, text. The user's id is authenticated with it, so that a sealed id
 * that is copied into another user's row cannot be opened.
 */
export function sealTaxId(appSecret: string, userId: string, digits: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(appSecret, 'tax id'), nonce);
  cipher.setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(digits, 'ascii'), cipher.final()]);
  return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), sealed]);
}

/** Encrypts a value so that a copy of the database doesn't reveal it. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { type AppSecret, deriveKey, eachSecret } from './secrets.ts';

/** What is sealed, each under a key of its own. */
export type SealPurpose = 'tax id' | 'authenticator app' | 'webhook secrets' | 'api answer';

/** Identifies the key and the layout, so that either can change. */
const VERSION = Buffer.of(1);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: version, nonce, tag, ciphertext. The row's ID is authenticated data, so a value copied to another row can't be
 * decrypted.
 */
export function seal(appSecret: AppSecret, purpose: SealPurpose, rowId: string, value: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(appSecret, purpose), nonce);
  cipher.setAAD(Buffer.from(rowId));
  const sealed = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), sealed]);
}

/** `null` when it was sealed under a secret that is gone, or for another row. */
export function unseal(appSecret: AppSecret, purpose: SealPurpose, rowId: string, sealed: Buffer): Buffer | null {
  for (const secret of eachSecret(appSecret)) {
    const value = unsealWith(deriveKey(secret, purpose), rowId, sealed);
    if (value !== null) return value;
  }
  return null;
}

function unsealWith(key: KeyObject, rowId: string, sealed: Buffer): Buffer | null {
  const nonceEnd = VERSION.length + NONCE_BYTES;
  const tagEnd = nonceEnd + TAG_BYTES;
  if (!sealed.subarray(0, VERSION.length).equals(VERSION) || sealed.length <= tagEnd) return null;
  const nonce = sealed.subarray(VERSION.length, nonceEnd);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(rowId));
  decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd));
  const value = decipher.update(sealed.subarray(tagEnd));
  try {
    return Buffer.concat([value, decipher.final()]);
  } catch {
    return null;
  }
}

import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import { isSampleTaxId } from '#domain/tax-id.ts';
import type { Deps } from '#server/platform/deps.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { findIdentity } from './accounts.sql.ts';

/** Names the key and the layout, for the day when either changes. */
const VERSION = Buffer.of(1);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

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

export interface SealedTaxId {
  userId: string;
  sealed: Buffer;
}

/** The questions that sealed ids answer. What they say stays in here. */
export function isSameTaxId(appSecret: string, one: SealedTaxId, other: SealedTaxId): boolean {
  const [digits, others] = [open(appSecret, one), open(appSecret, other)];
  return digits !== null && others !== null && digits.length === others.length && timingSafeEqual(digits, others);
}

function saysWhoItIs(appSecret: string, one: SealedTaxId): boolean {
  const digits = open(appSecret, one);
  return digits !== null && !isSampleTaxId(digits.toString('ascii'));
}

/** `null` for what was sealed under another secret. */
function open(appSecret: string, { userId, sealed }: SealedTaxId): Buffer | null {
  const nonceEnd = VERSION.length + NONCE_BYTES;
  const tagEnd = nonceEnd + TAG_BYTES;
  if (!sealed.subarray(0, VERSION.length).equals(VERSION) || sealed.length <= tagEnd) return null;
  const nonce = sealed.subarray(VERSION.length, nonceEnd);
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(appSecret, 'tax id'), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(userId));
  decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd));
  const digits = decipher.update(sealed.subarray(tagEnd));
  try {
    return Buffer.concat([digits, decipher.final()]);
  } catch {
    return null;
  }
}

/** Whether two accounts gave the same tax id, and so are one person or one company. */
export async function isSameTaxpayer(
  { db, appSecret }: Pick<Deps, 'db' | 'appSecret'>,
  oneId: string,
  otherId: string,
): Promise<boolean> {
  const [first, second] = [await findIdentity(db, oneId), await findIdentity(db, otherId)];
  if (!first || !second || first.organizationType !== second.organizationType) return false;

  const one = { userId: oneId, sealed: first.taxIdSealed };
  const other = { userId: otherId, sealed: second.taxIdSealed };
  return saysWhoItIs(appSecret, one) && isSameTaxId(appSecret, one, other);
}

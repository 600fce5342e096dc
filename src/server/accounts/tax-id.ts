import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import { isSampleTaxId } from '#domain/accounts/onboarding.ts';
import type { Deps } from '#server/platform/deps.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { findLegalIdentity } from './organizations.sql.ts';

/** Identifies the key and the layout, so that either can change. */
const VERSION = Buffer.of(1);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: version, nonce, tag, ciphertext. The organization's ID is authenticated data, so a value copied to another
 * organization's row can't be decrypted.
 */
export function sealTaxId(appSecret: string, organizationId: string, digits: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(appSecret, 'tax id'), nonce);
  cipher.setAAD(Buffer.from(organizationId));
  const sealed = Buffer.concat([cipher.update(digits, 'ascii'), cipher.final()]);
  return Buffer.concat([VERSION, nonce, cipher.getAuthTag(), sealed]);
}

export interface SealedTaxId {
  organizationId: string;
  sealed: Buffer;
}

/** Compares without exposing the digits to the caller. */
export function isSameTaxId(appSecret: string, one: SealedTaxId, other: SealedTaxId): boolean {
  const [digits, otherDigits] = [unsealTaxId(appSecret, one), unsealTaxId(appSecret, other)];
  return (
    digits !== null &&
    otherDigits !== null &&
    digits.length === otherDigits.length &&
    timingSafeEqual(digits, otherDigits)
  );
}

function isRealTaxId(appSecret: string, one: SealedTaxId): boolean {
  const digits = unsealTaxId(appSecret, one);
  return digits !== null && !isSampleTaxId(digits.toString('ascii'));
}

/** `null` when it was sealed with another key. */
function unsealTaxId(appSecret: string, { organizationId, sealed }: SealedTaxId): Buffer | null {
  const nonceEnd = VERSION.length + NONCE_BYTES;
  const tagEnd = nonceEnd + TAG_BYTES;
  if (!sealed.subarray(0, VERSION.length).equals(VERSION) || sealed.length <= tagEnd) return null;
  const nonce = sealed.subarray(VERSION.length, nonceEnd);
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(appSecret, 'tax id'), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(organizationId));
  decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd));
  const digits = decipher.update(sealed.subarray(tagEnd));
  try {
    return Buffer.concat([digits, decipher.final()]);
  } catch {
    return null;
  }
}

/** Whether two organizations have the same tax ID, and so belong to the same person or company. */
export async function isSameTaxpayer(
  { db, appSecret }: Pick<Deps, 'db' | 'appSecret'>,
  oneId: string,
  otherId: string,
): Promise<boolean> {
  const [first, second] = [await findLegalIdentity(db, oneId), await findLegalIdentity(db, otherId)];
  if (!first || !second || first.type !== second.type) return false;

  const one = { organizationId: oneId, sealed: first.taxIdSealed };
  const other = { organizationId: otherId, sealed: second.taxIdSealed };
  return isRealTaxId(appSecret, one) && isSameTaxId(appSecret, one, other);
}

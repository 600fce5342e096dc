import { createHash, createHmac } from 'node:crypto';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';

/**
 * The token of an emailed link: 256 bits, derived from the link's id, so that the same link can be sent again while the database
 * holds hashes only.
 */
export function linkToken(appSecret: AppSecret, linkId: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'emailed link')).update(linkId).digest('base64url');
}

/** The stored form. A fast hash is enough for a 256-bit token. */
export const hashOfLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The token whose hash is stored, whichever secret it was derived from; null if that secret is gone, or the link. */
export function storedLinkToken(appSecret: AppSecret, linkId: string, tokenHash: Buffer): string | null {
  const tokens = eachSecret(appSecret).map((secret) => linkToken(secret, linkId));
  return tokens.find((token) => hashOfLinkToken(token).equals(tokenHash)) ?? null;
}

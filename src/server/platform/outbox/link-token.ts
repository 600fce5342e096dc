import { createHash } from 'node:crypto';
import { type AppSecret, eachSecret, isSigned, sign } from '#server/platform/secrets.ts';

const PURPOSE = 'emailed link';

/**
 * The token of an emailed link: 256 bits, derived from the link's id, so that the same link can be sent again while the database
 * holds hashes only.
 */
export const linkToken = (appSecret: AppSecret, linkId: string): string => sign(appSecret, PURPOSE, linkId);

/** For links of which nothing is stored but their ID. */
export const isLinkToken = (appSecret: AppSecret, linkId: string, token: string): boolean =>
  isSigned(appSecret, PURPOSE, linkId, token);

/** The stored form. A fast hash is enough for a 256-bit token. */
export const hashOfLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The token whose hash is stored, whichever secret it was derived from; null if that secret is gone, or the link. */
export function storedLinkToken(appSecret: AppSecret, linkId: string, tokenHash: Buffer): string | null {
  const tokens = eachSecret(appSecret).map((secret) => linkToken(secret, linkId));
  return tokens.find((token) => hashOfLinkToken(token).equals(tokenHash)) ?? null;
}

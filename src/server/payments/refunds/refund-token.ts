/** Token of the link in refund emails. It shows the refund and can stop it while it is delayed. */
import { createHash, createHmac } from 'node:crypto';
import { type AppSecret, deriveKey, eachSecret } from '#server/platform/secrets.ts';

/** Derived from the refund's id, so every email about the refund has the same link. */
export function refundToken(appSecret: AppSecret, refundId: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'refund link')).update(refundId).digest('base64url');
}

/** The stored form. A fast hash is enough for a 256-bit token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token whose hash is stored, whichever secret it was derived from; null if that secret is gone. */
export function storedRefundToken(appSecret: AppSecret, refundId: string, linkHash: Buffer): string | null {
  const tokens = eachSecret(appSecret).map((secret) => refundToken(secret, refundId));
  return tokens.find((token) => hashOfToken(token).equals(linkHash)) ?? null;
}

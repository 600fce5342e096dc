/** The secret of the link in a refund's mails: it shows the refund, and takes it back while that can be done. */
import { createHash, createHmac } from 'node:crypto';
import { deriveKey } from '#server/platform/secrets.ts';

/** Made of the refund's id under a key of ours, so that every mail about the refund can carry the same link. */
export function refundToken(appSecret: string, refundId: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'refund link')).update(refundId).digest('base64url');
}

/** What is kept: a fast hash is enough for 256 bits. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

import { createHmac } from 'node:crypto';
import { deriveKey } from '#server/platform/secrets.ts';

/**
 * The token of an emailed link: 256 bits, derived from the link's id, so that the same link can be sent again while the database
 * holds hashes only.
 */
export function linkToken(appSecret: string, linkId: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'emailed link')).update(linkId).digest('base64url');
}

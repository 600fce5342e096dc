/** Identifiers in Stripe's formats. */

import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

type Prefix =
  | 'ch'
  | 'cs_test'
  | 'du'
  | 'evt'
  | 'file'
  | 'evt_test'
  | 'issfr'
  | 'li'
  | 'pi'
  | 'pm'
  | 'po'
  | 'price'
  | 'prod'
  | 'py'
  | 'pyr'
  | 're'
  | 'req'
  | 'tr'
  | 'trr'
  | 'txn'
  | 'we'
  | 'acct';

const LENGTHS: Partial<Record<Prefix, number>> = { cs_test: 58, acct: 16 };

export const newId = (prefix: Prefix) => `${prefix}_${randomText(LENGTHS[prefix] ?? 24)}`;

/** Cryptographically random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256. Using higher bytes would skew the distribution.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

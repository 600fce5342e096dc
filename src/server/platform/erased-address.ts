/** Replaces an erased email address with a keyed hash. The key is not in the database, so addresses cannot be recovered by guessing. */
import { createHmac, type KeyObject } from 'node:crypto';
import { type AppSecret, deriveKey } from './secrets.ts';

/** The space makes it an invalid address: no form accepts it, and no email is sent to it. */
export const ERASED_PREFIX = 'erased ';

/** Truncated to 128 bits, which is short enough to store and too long to collide. */
export const addressHash = (appSecret: AppSecret, email: string) =>
  keyedHash(deriveKey(appSecret, 'erased address'), email.trim().toLowerCase());

/** Of a person's id, or an organization's. */
export const accountHash = (appSecret: AppSecret, id: string) => keyedHash(deriveKey(appSecret, 'erased account'), id);

const keyedHash = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);

export const erasedAddress = (hash: string) => ERASED_PREFIX + hash;

export const isErased = (address: string) => address.startsWith(ERASED_PREFIX);

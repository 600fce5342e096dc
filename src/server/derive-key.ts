import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The purposes are few and constant. Derived once: a key is needed for each scan at a door. */
const known = new Map<string, KeyObject>();

/** A 256-bit key for one purpose. Keys of different purposes tell nothing of each other or of the secret. */
export function deriveKey(appSecret: string, purpose: string): KeyObject {
  const name = `${purpose} ${appSecret}`;
  const key =
    known.get(name) ?? createSecretKey(Buffer.from(hkdfSync('sha256', appSecret, '', `handstamp ${purpose}`, 32)));
  known.set(name, key);
  return key;
}

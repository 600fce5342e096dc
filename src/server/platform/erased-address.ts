/** What stands where an address stood. Under a key that is not in the database, so that nobody finds the address by trying. */
import { createHmac, type KeyObject } from 'node:crypto';
import { deriveKey } from './secrets.ts';

/** With a space in it no form takes it for an address, and no mail is sent to it. */
const MARK = 'erased ';

/** 128 bits: enough that no two people meet, and short enough for a column. */
export const addressHash = (appSecret: string, email: string) =>
  hashUnder(deriveKey(appSecret, 'erased address'), email.trim().toLowerCase());

export const accountHash = (appSecret: string, userId: string) =>
  hashUnder(deriveKey(appSecret, 'erased account'), userId);

const hashUnder = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);

export const erasedAddress = (hash: string) => MARK + hash;

export const isErased = (address: string) => address.startsWith(MARK);

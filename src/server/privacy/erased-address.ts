/** What stands where an address stood. Under a key that is not in the database, so that nobody finds the address by trying. */
import { createHmac } from 'node:crypto';
import { deriveKey } from '#server/derive-key.ts';

/** With a space in it no form takes it for an address, and no mail is sent to it. */
const MARK = 'erased ';

/** 128 bits: enough that no two people meet, and short enough for a column. */
export function addressHash(appSecret: string, email: string): string {
  const key = deriveKey(appSecret, 'erased address');
  return createHmac('sha256', key).update(email.trim().toLowerCase()).digest('hex').slice(0, 32);
}

export const erasedAddress = (hash: string) => MARK + hash;

export const isErased = (address: string) => address.startsWith(MARK);

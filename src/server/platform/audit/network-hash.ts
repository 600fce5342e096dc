import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '#server/platform/database.ts';
import { type AppSecret, deriveKey } from '#server/platform/secrets.ts';
import { findNetworkKey, insertNetworkKey } from './audit.sql.ts';

const KEY_BYTES = 32;

/**
 * Hash of a network under a random key of the year. The purge deletes old keys, so that a network is forgotten although audit
 * events never change.
 */
export async function networkHash(tx: Db, { ip, appSecret }: { ip: string; appSecret: AppSecret }, at: Date) {
  // Two keys, so that neither a copy of the database nor the app secret alone tells networks.
  const hash = createHmac('sha256', deriveKey(appSecret, 'network')).update(ip).digest();
  return createHmac('sha256', await keyOfYear(tx, at))
    .update(hash)
    .digest('hex')
    .slice(0, 32);
}

async function keyOfYear(tx: Db, at: Date): Promise<Buffer> {
  const year = at.getUTCFullYear();
  const known = await findNetworkKey(tx, year);
  if (known) return known;
  await insertNetworkKey(tx, { year, key: randomBytes(KEY_BYTES), madeAt: at });
  const made = await findNetworkKey(tx, year);
  if (!made) throw new Error(`the network key of ${year} was deleted while it was made`);
  return made;
}

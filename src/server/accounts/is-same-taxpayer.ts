import type { Deps } from '#server/deps.ts';
import { findIdentity } from './accounts.sql.ts';
import { isSameTaxId, saysWhoItIs } from './seal-tax-id.ts';

/** Whether two accounts gave the same tax id, and so are one person or one company. */
export async function isSameTaxpayer(
  { db, appSecret }: Pick<Deps, 'db' | 'appSecret'>,
  oneId: string,
  otherId: string,
): Promise<boolean> {
  const [first, second] = [await findIdentity(db, oneId), await findIdentity(db, otherId)];
  if (!first || !second || first.organizationType !== second.organizationType) return false;

  const one = { userId: oneId, sealed: first.taxIdSealed };
  const other = { userId: otherId, sealed: second.taxIdSealed };
  return saysWhoItIs(appSecret, one) && isSameTaxId(appSecret, one, other);
}

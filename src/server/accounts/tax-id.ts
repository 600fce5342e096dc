import { timingSafeEqual } from 'node:crypto';
import { isSampleTaxId } from '#domain/accounts/onboarding.ts';
import type { Deps } from '#server/platform/deps.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { findLegalIdentity } from './organizations.sql.ts';

export const sealTaxId = (appSecret: AppSecret, organizationId: string, digits: string): Buffer =>
  seal(appSecret, 'tax id', organizationId, Buffer.from(digits, 'ascii'));

export interface SealedTaxId {
  organizationId: string;
  sealed: Buffer;
}

/** Compares without exposing the digits to the caller. */
export function isSameTaxId(appSecret: AppSecret, one: SealedTaxId, other: SealedTaxId): boolean {
  const [digits, otherDigits] = [unsealTaxId(appSecret, one), unsealTaxId(appSecret, other)];
  return (
    digits !== null &&
    otherDigits !== null &&
    digits.length === otherDigits.length &&
    timingSafeEqual(digits, otherDigits)
  );
}

function isRealTaxId(appSecret: AppSecret, one: SealedTaxId): boolean {
  const digits = unsealTaxId(appSecret, one);
  return digits !== null && !isSampleTaxId(digits.toString('ascii'));
}

const unsealTaxId = (appSecret: AppSecret, { organizationId, sealed }: SealedTaxId) =>
  unseal(appSecret, 'tax id', organizationId, sealed);

/** Whether two organizations have the same tax ID, and so belong to the same person or company. */
export async function isSameTaxpayer(
  { db, appSecret }: Pick<Deps, 'db' | 'appSecret'>,
  oneId: string,
  otherId: string,
): Promise<boolean> {
  const [first, second] = [await findLegalIdentity(db, oneId), await findLegalIdentity(db, otherId)];
  if (!first || !second || first.type !== second.type) return false;

  const one = { organizationId: oneId, sealed: first.taxIdSealed };
  const other = { organizationId: otherId, sealed: second.taxIdSealed };
  return isRealTaxId(appSecret, one) && isSameTaxId(appSecret, one, other);
}

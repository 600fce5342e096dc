import { timingSafeEqual } from 'node:crypto';
import { isSampleTaxId } from '#domain/accounts/onboarding.ts';
import type { Deps } from '#server/platform/deps.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { deriveKey } from '#server/platform/secrets.ts';
import { findLegalIdentity } from './organizations.sql.ts';

export const sealTaxId = (appSecret: string, organizationId: string, digits: string): Buffer =>
  seal(taxIdKey(appSecret), organizationId, Buffer.from(digits, 'ascii'));

export interface SealedTaxId {
  organizationId: string;
  sealed: Buffer;
}

/** Compares without exposing the digits to the caller. */
export function isSameTaxId(appSecret: string, one: SealedTaxId, other: SealedTaxId): boolean {
  const [digits, otherDigits] = [unsealTaxId(appSecret, one), unsealTaxId(appSecret, other)];
  return (
    digits !== null &&
    otherDigits !== null &&
    digits.length === otherDigits.length &&
    timingSafeEqual(digits, otherDigits)
  );
}

function isRealTaxId(appSecret: string, one: SealedTaxId): boolean {
  const digits = unsealTaxId(appSecret, one);
  return digits !== null && !isSampleTaxId(digits.toString('ascii'));
}

const unsealTaxId = (appSecret: string, { organizationId, sealed }: SealedTaxId) =>
  unseal(taxIdKey(appSecret), organizationId, sealed);

const taxIdKey = (appSecret: string) => deriveKey(appSecret, 'tax id');

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

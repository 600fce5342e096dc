import type * as z from 'zod/mini';
import { type accountInfoForm, identityProblems, type profile } from '#contract/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { invalid } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type AccountInformation, findIdentity, lockUser, saveAccountInformation } from './accounts.sql.ts';
import { isSameTaxId, sealTaxId } from './tax-id.ts';

type AccountInfoForm = z.infer<typeof accountInfoForm>;

/**
 * A birth date and a tax id that are left empty stay as they are on file.
 * Who changes what an account is before the law is told so by mail: it may be somebody else who did it.
 */
export async function saveAccountInfo(
  { db, clock, appSecret, tries }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'tries'>,
  userId: string,
  { individualTIN, companyTIN, ...form }: AccountInfoForm,
): Promise<void> {
  const now = clock.now();
  // Each change is mailed to the account, also when it is not its owner who makes them.
  await consumeLimit(tries, 'save-account-info', userId);

  // Only the id of the chosen type: the other one may be somebody else's, or a leftover of the form.
  const digits = (form.organizationType === 'individual' ? individualTIN : companyTIN)?.replace(/\D/g, '');
  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    const before = await findIdentity(tx, userId);
    const onFile = before?.organizationType ?? null;
    const [problem] = identityProblems({ ...form, individualTIN, companyTIN }, onFile, now);
    if (problem) throw invalid(problem.msg);

    const next = {
      firstName: form.firstName,
      lastName: form.lastName,
      phoneNumber: form.phoneNumber,
      organizationName: form.organizationName,
      organizationBio: form.organizationBio,
      organizationType: form.organizationType,
      ...(form.dateOfBirth && { dateOfBirth: form.dateOfBirth }),
      ...(digits && { taxIdSealed: sealTaxId(appSecret, userId, digits), taxIdLast4: digits.slice(-4) }),
    };
    await saveAccountInformation(tx, userId, next);
    if (!user || !before || isSameIdentity(appSecret, userId, before, { ...before, ...next })) return;
    const mail = { kind: 'account-info-changed', subjectId: newId(), params: {}, accountId: userId } as const;
    await queueEmail(tx, { ...mail, toAddress: user.email, now });
  });
}

type Identity = NonNullable<Awaited<ReturnType<typeof findIdentity>>>;

const IDENTITY = ['firstName', 'lastName', 'dateOfBirth', 'organizationName', 'organizationType'] as const;

function isSameIdentity(appSecret: string, userId: string, before: Identity, next: Identity): boolean {
  // A birthday that is not kept any more cannot be compared.
  const isOther = IDENTITY.some((field) => before[field] !== null && before[field] !== next[field]);
  if (isOther) return false;
  if (before.taxIdSealed === next.taxIdSealed) return true;
  return isSameTaxId(appSecret, { userId, sealed: before.taxIdSealed }, { userId, sealed: next.taxIdSealed });
}

/** The form as it was last saved, or `null` before; of the tax id only its end. */
export function accountInfoOf(saved: AccountInformation): ReplyOf<typeof profile>['accountInfo'] {
  const { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 } = saved;
  if (!firstName || !lastName || !phoneNumber || !organizationType || !taxIdLast4) return null;
  return { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 };
}

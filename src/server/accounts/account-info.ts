import type * as z from 'zod/mini';
import { type accountInfoForm, identityProblems, type profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { type AccountInformation, findIdentity, lockUser, saveAccountInformation } from './accounts.sql.ts';
import { isSameTaxId, sealTaxId } from './tax-id.ts';

type AccountInfoForm = z.infer<typeof accountInfoForm>;

/**
 * An empty birth date or tax ID keeps the value on file.
 * A change of legal identity is emailed to the account, in case someone else made it.
 */
export async function saveAccountInfo(
  { db, clock, appSecret, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimiter'>,
  userId: string,
  { individualTIN, companyTIN, ...form }: AccountInfoForm,
): Promise<void> {
  const now = clock.now();
  // Limited because each change can send an email.
  await consumeLimit(rateLimiter, 'save-account-info', userId);

  // Only the ID of the chosen type: the other field may be left over in the form.
  const digits = (form.organizationType === 'individual' ? individualTIN : companyTIN)?.replace(/\D/g, '');
  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    const before = await findIdentity(tx, userId);
    const savedType = before?.organizationType ?? null;
    const [problem] = identityProblems({ ...form, individualTIN, companyTIN }, savedType, now);
    if (problem) throw new AppError('form.invalid', { message: problem.msg });

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
    const email = { kind: 'account-info-changed', subjectId: newId(), params: {}, accountId: userId } as const;
    await queueEmail(tx, { ...email, toAddress: user.email, now });
  });
}

type Identity = NonNullable<Awaited<ReturnType<typeof findIdentity>>>;

const IDENTITY = ['firstName', 'lastName', 'dateOfBirth', 'organizationName', 'organizationType'] as const;

function isSameIdentity(appSecret: string, userId: string, before: Identity, next: Identity): boolean {
  // A birth date that is no longer stored can't be compared.
  const isDifferent = IDENTITY.some((field) => before[field] !== null && before[field] !== next[field]);
  if (isDifferent) return false;
  if (before.taxIdSealed === next.taxIdSealed) return true;
  return isSameTaxId(appSecret, { userId, sealed: before.taxIdSealed }, { userId, sealed: next.taxIdSealed });
}

/** The form as last saved, or `null` if it never was. Exposes only the last four digits of the tax ID. */
export function accountInfoOf(saved: AccountInformation): ReplyOf<typeof profile>['accountInfo'] {
  const { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 } = saved;
  if (!firstName || !lastName || !phoneNumber || !organizationType || !taxIdLast4) return null;
  return { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 };
}

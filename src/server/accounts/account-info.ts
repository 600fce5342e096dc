import type * as z from 'zod/mini';
import type { profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type accountInfoForm, identityProblems } from '#contract/forms/account-info.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { findPerson, lockUser, savePerson } from './accounts.sql.ts';
import { lockOrganization } from './organization.ts';
import { findLegalIdentity, type findOrganization, saveOrganization } from './organizations.sql.ts';
import { authorize } from './policies.ts';
import { requireNotSuspended } from './suspension/suspension.ts';
import { isSameTaxId, sealTaxId } from './tax-id.ts';

type AccountInfoForm = z.infer<typeof accountInfoForm>;

/**
 * An empty birth date or tax ID keeps the value on file.
 * A change of legal identity is emailed to the account, in case someone else made it.
 */
export async function saveAccountInfo(
  { db, clock, appSecret, rateLimiter }: Pick<Deps, 'db' | 'clock' | 'appSecret' | 'rateLimiter'>,
  actor: Actor,
  { individualTIN, companyTIN, ...form }: AccountInfoForm,
): Promise<void> {
  authorize(actor, 'organization.identify');
  const { userId, organizationId } = actor;
  const now = clock.now();
  // Limited because each change can send an email.
  await consumeLimit(rateLimiter, 'save-account-info', userId);

  // Only the ID of the chosen type: the other field may be left over in the form.
  const digits = (form.organizationType === 'individual' ? individualTIN : companyTIN)?.replace(/\D/g, '');
  await inTransaction(db, async (tx) => {
    await lockOrganization(tx, organizationId);
    await requireNotSuspended(tx, organizationId);
    const user = await lockUser(tx, userId);
    const before = await findIdentity(tx, actor);
    const savedType = before?.type ?? null;
    const [problem] = identityProblems({ ...form, individualTIN, companyTIN }, savedType, now);
    if (problem) throw new AppError('form.invalid', problem);

    const person = {
      firstName: form.firstName,
      lastName: form.lastName,
      phoneNumber: form.phoneNumber,
      ...(form.dateOfBirth && { dateOfBirth: form.dateOfBirth }),
    };
    const organization = {
      name: form.organizationName,
      bio: form.organizationBio,
      type: form.organizationType,
      ...(digits && { taxIdSealed: sealTaxId(appSecret, organizationId, digits), taxIdLast4: digits.slice(-4) }),
    };
    const next = before && { ...before, ...person, ...organization };
    const isNewTaxId = before && next && !hasSameTaxId(appSecret, organizationId, before, next);
    if (isNewTaxId) authorize(actor, 'tax-id.change');

    await savePerson(tx, userId, person);
    await saveOrganization(tx, organizationId, organization);
    const action = isNewTaxId ? 'change-tax-id' : 'change-account-info';
    await recordAuditEvent(tx, { action, by: actor, subject: organizationId, at: now });
    if (!user || !before || !next) return;
    if (hasSameNames(before, next) && !isNewTaxId) return;
    const email = { kind: 'account-info-changed', subjectId: newId(), params: {}, accountId: userId } as const;
    await queueEmail(tx, { ...email, toAddress: user.email, now });
  });
}

/** Of the organization and its owner. `null` until the form is saved. */
async function findIdentity(tx: Db, { userId, organizationId }: Actor) {
  const organization = await findLegalIdentity(tx, organizationId);
  return organization && { ...organization, ...(await findPerson(tx, userId)) };
}

type Identity = NonNullable<Awaited<ReturnType<typeof findIdentity>>>;

const NAMES = ['firstName', 'lastName', 'dateOfBirth', 'name', 'type'] as const;

function hasSameNames(before: Identity, next: Identity): boolean {
  // A birth date that is no longer stored can't be compared.
  return NAMES.every((field) => before[field] === null || before[field] === next[field]);
}

function hasSameTaxId(appSecret: Deps['appSecret'], organizationId: string, before: Identity, next: Identity): boolean {
  if (before.taxIdSealed === next.taxIdSealed) return true;
  const sealedBy = ({ taxIdSealed: sealed }: Identity) => ({ organizationId, sealed });
  return isSameTaxId(appSecret, sealedBy(before), sealedBy(next));
}

/** The form as last saved, or `null` if it never was. Exposes only the last four digits of the tax ID. */
export function accountInfoOf(
  { firstName, lastName, dateOfBirth, phoneNumber }: Awaited<ReturnType<typeof findPerson>>,
  { type: organizationType, taxIdLast4 }: Awaited<ReturnType<typeof findOrganization>>,
): ReplyOf<typeof profile>['accountInfo'] {
  if (!firstName || !lastName || !phoneNumber || !organizationType || !taxIdLast4) return null;
  return { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 };
}

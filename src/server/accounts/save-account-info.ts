import type * as z from 'zod/mini';
import { type accountInfoForm, ageProblem } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/refusal.ts';
import { saveAccountInformation } from './accounts.sql.ts';
import { sealTaxId } from './seal-tax-id.ts';

type AccountInfoForm = z.infer<typeof accountInfoForm>;

export async function saveAccountInfo(
  { db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  userId: string,
  { individualTIN, companyTIN, ...form }: AccountInfoForm,
): Promise<void> {
  const problem = ageProblem(form.dateOfBirth, clock.now());
  if (problem) throw invalid(problem);

  // Only the id of the chosen type: the other one may be somebody else's, or a leftover of the form.
  const chosen = form.organizationType === 'individual' ? individualTIN : companyTIN;
  const digits = (chosen ?? '').replace(/\D/g, '');
  await saveAccountInformation(db, userId, {
    firstName: form.firstName,
    lastName: form.lastName,
    dateOfBirth: form.dateOfBirth,
    phoneNumber: form.phoneNumber,
    organizationName: form.organizationName,
    organizationBio: form.organizationBio,
    organizationType: form.organizationType,
    taxIdSealed: sealTaxId(appSecret, userId, digits),
    taxIdLast4: digits.slice(-4),
  });
}

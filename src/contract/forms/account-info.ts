/** Who sells, as US tax law asks: the person, the organization and the tax ID. */
import * as z from 'zod/mini';
import { denyAge } from '#domain/accounts/onboarding.ts';
import { NAME_MAX, ORGANIZATION_BIO_MAX, ORGANIZATION_NAME_MAX, PHONE_MAX } from '#domain/limits.ts';
import { because, type FormProblem } from './form-problem.ts';
import { oneLine, someLines } from './typed-text.ts';

const name = (field: 'first-name' | 'last-name') =>
  z
    .string()
    .check(oneLine(), z.minLength(1, because(`${field}.missing`)), z.maxLength(NAME_MAX, because(`${field}.too-long`)));

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const PHONE = /^[0-9+\-() ]*$/;
/** Nine digits, with or without the usual hyphens. Rejects area numbers that were never issued. */
const INDIVIDUAL_TAX_ID = /^(?!000|666)\d{3}-?(?!00)\d{2}-?(?!0000)\d{4}$/;
const COMPANY_TAX_ID = /^\d{2}-?\d{7}$/;
/** Birth date and tax ID are checked by `identityProblems`, because they depend on the date and on the stored values. */
export const accountInfoForm = z.object({
  firstName: name('first-name'),
  lastName: name('last-name'),
  dateOfBirth: z.optional(z.string()),
  phoneNumber: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, because('phone-number.missing')),
      z.maxLength(PHONE_MAX, because('phone-number.too-long')),
      z.regex(PHONE, because('phone-number.symbols')),
    ),
  organizationName: z
    .string()
    .check(
      oneLine(),
      z.minLength(1, because('organization-name.missing')),
      z.maxLength(ORGANIZATION_NAME_MAX, because('organization-name.too-long')),
    ),
  organizationBio: z
    .string()
    .check(
      someLines(),
      z.minLength(1, because('organization-bio.missing')),
      z.maxLength(ORGANIZATION_BIO_MAX, because('organization-bio.too-long')),
    ),
  organizationType: z.enum(['individual', 'company'], because('tax-id-type.missing')),
  individualTIN: z.optional(z.string()),
  companyTIN: z.optional(z.string()),
});

export type OrganizationType = z.infer<typeof accountInfoForm>['organizationType'];

const taxIds = {
  individual: { field: 'individualTIN', pattern: INDIVIDUAL_TAX_ID, reason: 'ssn.invalid' },
  company: { field: 'companyTIN', pattern: COMPANY_TAX_ID, reason: 'ein.invalid' },
} as const;

/** Unvalidated input. */
type TypedIdentity = { [field in 'dateOfBirth' | 'organizationType' | 'individualTIN' | 'companyTIN']?: unknown };

/**
 * Problems with the birth date and the tax ID. Both may be left empty once they are stored; `onFile` is the type of the
 * stored tax ID, `null` before the first save.
 */
export function identityProblems(form: TypedIdentity, onFile: OrganizationType | null, today: Date): FormProblem[] {
  return [birthProblem(form, onFile, today), taxIdProblem(form, onFile)].filter((problem) => problem !== null);
}

function birthProblem(
  { dateOfBirth }: TypedIdentity,
  onFile: OrganizationType | null,
  today: Date,
): FormProblem | null {
  if (!dateOfBirth && onFile !== null) return null;
  const field = 'dateOfBirth';
  if (typeof dateOfBirth !== 'string' || !DATE.test(dateOfBirth)) return { field, reason: 'birth-date.missing' };
  const denial = denyAge(dateOfBirth, today);
  return denial && { field, reason: `birth-date.${denial}` };
}

function taxIdProblem(form: TypedIdentity, onFile: OrganizationType | null): FormProblem | null {
  const type = form.organizationType;
  if (type !== 'individual' && type !== 'company') return null;
  const { field, pattern, reason } = taxIds[type];
  const typed = form[field];
  if (!typed && onFile === type) return null;
  return typeof typed === 'string' && pattern.test(typed) ? null : { field, reason };
}

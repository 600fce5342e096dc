import { accountInfoForm, identityProblems, type OrganizationType } from '#contract/forms/account-info.ts';
import { always } from '#web/profile/form-schemas.ts';

/** `onFile` is the type of the stored tax ID. */
export const accountFormFor = (onFile: OrganizationType | null) =>
  accountInfoForm.check(always((form) => identityProblems(form, onFile, new Date())));

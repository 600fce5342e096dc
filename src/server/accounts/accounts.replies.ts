import type { profile } from '#contract/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { AccountInformation } from './accounts.sql.ts';

/** The form as it was last saved, or `null` before; of the tax id only its end. */
export function accountInfoOf(saved: AccountInformation): ReplyOf<typeof profile>['accountInfo'] {
  const { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 } = saved;
  if (!firstName || !lastName || !phoneNumber || !organizationType || !taxIdLast4) return null;
  return { firstName, lastName, dateOfBirth, phoneNumber, organizationType, taxIdLast4 };
}

import type { profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { openOnboardingSteps } from '#domain/onboarding.ts';
import { accountInfoOf } from '#server/accounts/account-info.ts';
import { findAccountInformation } from '#server/accounts/accounts.sql.ts';
import { readAffiliation } from '#server/accounts/affiliates/affiliate-codes.ts';
import { refreshPayoutAccount } from '#server/accounts/payout-account.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { listOrganizerEvents } from './list-organizer-events.ts';

export async function readProfile(deps: Deps, organizer: Organizer): Promise<ReplyOf<typeof profile>> {
  const { userId, email, emailVerifiedAt } = organizer;
  const hasActivePayoutAccount = await refreshPayoutAccount(deps, userId);
  const information = await findAccountInformation(deps.db, userId);
  const { organizationName, organizationBio } = information;

  return {
    _id: userId,
    email,
    isEmailVerified: emailVerifiedAt !== null,
    organizationName,
    organizationBio,
    ...(await readAffiliation(deps, userId)),
    openSteps: openOnboardingSteps({ emailVerifiedAt, organizationName, hasActivePayoutAccount }),
    accountInfo: accountInfoOf(information),
    events: await listOrganizerEvents(deps, userId),
  };
}

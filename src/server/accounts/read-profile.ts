import type { profile } from '#contract/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { openOnboardingSteps } from '#domain/onboarding.ts';
import { readAffiliation } from '#server/affiliates/read-affiliation.ts';
import type { Deps } from '#server/deps.ts';
import { listOrganizerEvents } from '#server/events/list-organizer-events.ts';
import { refreshPayoutAccount } from '#server/payouts/refresh-payout-account.ts';
import { accountInfoOf } from './accounts.replies.ts';
import { findAccountInformation } from './accounts.sql.ts';
import type { Organizer } from './authenticate.ts';

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

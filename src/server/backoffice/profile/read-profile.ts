import type { profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { openOnboardingSteps } from '#domain/accounts/onboarding.ts';
import { dollarsOf } from '#domain/money.ts';
import { accountInfoOf } from '#server/accounts/account-info.ts';
import { findPerson } from '#server/accounts/accounts.sql.ts';
import { readAffiliateCode } from '#server/accounts/affiliates/affiliate-codes.ts';
import { findOrganization } from '#server/accounts/organizations.sql.ts';
import { isPayoutAccountUnconfirmed, refreshPayoutAccount } from '#server/accounts/payout-account.ts';
import { authorize } from '#server/accounts/policies.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { listOrganizerEvents } from './list-organizer-events.ts';
import { salesOfAllEvents } from './profile.sql.ts';

export async function readProfile(deps: Deps, organizer: Organizer): Promise<ReplyOf<typeof profile>> {
  authorize(organizer, 'event.view');
  const { userId, organizationId, email, emailVerifiedAt } = organizer;
  const hasActivePayoutAccount = await refreshPayoutAccount(deps, organizationId);
  const person = await findPerson(deps.db, userId);
  const organization = await findOrganization(deps.db, organizationId);
  const { grossCents, ...sales } = await salesOfAllEvents(deps.db, organizationId);
  const { name: organizationName, bio: organizationBio, tokenCount } = organization;

  return {
    _id: userId,
    email,
    isEmailVerified: emailVerifiedAt !== null,
    organizationName,
    organizationBio,
    tokenCount,
    affiliateCode: await readAffiliateCode(deps, organizationId),
    isPayoutAccountUnconfirmed: await isPayoutAccountUnconfirmed(deps, organizationId),
    openSteps: openOnboardingSteps({ emailVerifiedAt, organizationName, hasActivePayoutAccount }),
    accountInfo: accountInfoOf(person, organization),
    ...(await listOrganizerEvents(deps, organizationId)),
    sales: { ...sales, gross: dollarsOf(grossCents) },
  };
}

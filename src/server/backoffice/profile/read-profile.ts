import type { profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { openOnboardingSteps } from '#domain/accounts/onboarding.ts';
import { type Action, isAllowed } from '#domain/accounts/roles.ts';
import { dollarsOf } from '#domain/money.ts';
import { accountInfoOf } from '#server/accounts/account-info.ts';
import { findPerson } from '#server/accounts/accounts.sql.ts';
import { readAffiliateCode } from '#server/accounts/affiliates/affiliate-codes.ts';
import { findOrganization } from '#server/accounts/organizations.sql.ts';
import { accountTroubleOf, isPayoutAccountUnconfirmed, refreshPayoutAccount } from '#server/accounts/payout-account.ts';
import { planOf } from '#server/accounts/plans/plan-of.ts';
import { authorize } from '#server/accounts/policies.ts';
import { suspensionOf } from '#server/accounts/suspension/suspension.ts';
import { listOwnDisputes } from '#server/backoffice/disputes/list-own-disputes.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { listOrganizerEvents } from './list-organizer-events.ts';
import { salesOfAllEvents } from './profile.sql.ts';

/** Without what the member's role may not see. */
export async function readProfile(deps: Deps, organizer: Organizer): Promise<ReplyOf<typeof profile>> {
  authorize(organizer, 'event.view');
  const { userId, organizationId, email, emailVerifiedAt, role, onlyEventIds } = organizer;
  const may = (action: Action) => isAllowed(organizer, action);
  const hasActivePayoutAccount = await refreshPayoutAccount(deps, organizationId);
  const person = await findPerson(deps.db, userId);
  const organization = await findOrganization(deps.db, organizationId);
  const trouble = await accountTroubleOf(deps, organizationId);
  const suspension = await suspensionOf(deps.db, organizationId);
  const { grossCents, ...sales } = await salesOfAllEvents(deps.db, organizer);
  const { name: organizationName, bio: organizationBio, tokenCount } = organization;
  const seesCodes = may('affiliate-code.generate');

  return {
    _id: userId,
    access: { role, onlyEventIds: onlyEventIds && [...onlyEventIds] },
    email,
    isEmailVerified: emailVerifiedAt !== null,
    organizationName,
    organizationBio,
    tokenCount: seesCodes ? tokenCount : 0,
    affiliateCode: seesCodes ? await readAffiliateCode(deps, organizationId) : null,
    plan: await planOf(deps.db, organizationId),
    isPayoutAccountUnconfirmed: await isPayoutAccountUnconfirmed(deps, organizationId),
    accountTrouble: trouble && { ...trouble, stopAt: trouble.stopAt.toISOString() },
    suspended: suspension && { ...suspension, since: suspension.since.toISOString() },
    disputes: may('dispute.answer') ? await listOwnDisputes(deps.db, organizer) : [],
    openSteps: openOnboardingSteps({ emailVerifiedAt, organizationName, hasActivePayoutAccount }),
    accountInfo: may('organization.identify') ? accountInfoOf(person, organization) : null,
    ...(await listOrganizerEvents(deps, organizer)),
    sales: { ...sales, gross: may('sales.view') ? dollarsOf(grossCents) : null },
  };
}

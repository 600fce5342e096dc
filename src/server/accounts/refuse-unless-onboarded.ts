import { onboardingIncomplete } from '#contract/accounts.ts';
import { openOnboardingSteps } from '#domain/onboarding.ts';
import type { Deps } from '#server/deps.ts';
import { hasActivePayoutAccount } from '#server/payouts/has-active-payout-account.ts';
import { forbidden } from '#server/refusal.ts';
import type { Organizer } from './authenticate.ts';

export async function refuseUnlessOnboarded(deps: Pick<Deps, 'db'>, organizer: Organizer): Promise<void> {
  const open = openOnboardingSteps({
    ...organizer,
    hasActivePayoutAccount: await hasActivePayoutAccount(deps, organizer.userId),
  });
  if (open.length > 0) throw forbidden(onboardingIncomplete);
}

import { onboardingRefreshPath } from '#contract/payouts.ts';

/** Where the card company sends the organizer after onboarding, and for a new link when the old one was used up. */
export function payoutReturns(publicUrl: string) {
  return {
    returnUrl: `${publicUrl}/profile?payouts=returned`,
    refreshUrl: `${publicUrl}${onboardingRefreshPath}`,
  };
}

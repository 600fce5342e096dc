/** What an organizer must have done before selling. */

export type OnboardingStep = 'verify-email' | 'account-information' | 'connect-payouts';

/** The steps still open, in the order in which they are asked for. */
export function openOnboardingSteps(organizer: {
  emailVerifiedAt: Date | null;
  organizationName: string | null;
  hasActivePayoutAccount: boolean;
}): OnboardingStep[] {
  const steps: OnboardingStep[] = [];
  if (!organizer.emailVerifiedAt) steps.push('verify-email');
  if (!organizer.organizationName) steps.push('account-information');
  if (!organizer.hasActivePayoutAccount) steps.push('connect-payouts');
  return steps;
}

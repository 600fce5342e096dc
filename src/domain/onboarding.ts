/** Steps an organizer completes before selling. */

export type OnboardingStep = 'verify-email' | 'account-information' | 'connect-payouts';

/** The remaining steps, in the order they are shown. */
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

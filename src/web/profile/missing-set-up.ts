import { isAllowed } from '#domain/accounts/roles.ts';
import { memberStatus } from '#messages/accounts/team.ts';
import { onboardingIncomplete } from '#messages/accounts.ts';
import type { Profile } from './use-profile.ts';

/** What has to happen before this member can create events that sell for money; null if nothing has. */
export function missingSetUp({ access, openSteps }: Pick<Profile, 'access' | 'openSteps'>): string | null {
  if (openSteps.length === 0) return null;
  if (isAllowed(access, 'organization.identify')) return onboardingIncomplete;
  return openSteps.includes('verify-email') ? memberStatus.verifyEmail : memberStatus.ownerSetsUp;
}

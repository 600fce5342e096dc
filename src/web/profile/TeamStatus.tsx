import { isAllowed } from '#domain/accounts/roles.ts';
import { memberStatus as text } from '#messages/accounts/team.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import type { Profile } from './use-profile.ts';

/** What a member can't do yet, and what has to happen first. */
export function TeamStatus({ organizer: { access, openSteps } }: { organizer: Profile }) {
  if (openSteps.length === 0 || !isAllowed(access, 'event.create')) return null;
  return <Banner kind="warning" title={openSteps.includes('verify-email') ? text.verifyEmail : text.ownerSetsUp} />;
}

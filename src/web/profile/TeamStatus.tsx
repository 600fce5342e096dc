import { isAllowed } from '#domain/accounts/roles.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { missingSetUp } from './missing-set-up.ts';
import type { Profile } from './use-profile.ts';

/** What a member can't do yet, and what has to happen first. */
export function TeamStatus({ organizer }: { organizer: Profile }) {
  const missing = missingSetUp(organizer);
  if (!missing || !isAllowed(organizer.access, 'event.create')) return null;
  return <Banner kind="warning" title={missing} />;
}

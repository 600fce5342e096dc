import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import { isAllowed } from '#domain/accounts/roles.ts';
import type { OpenDialog } from '#web/profile/ProfileDialog.tsx';
import type { Profile } from '#web/profile/use-profile.ts';

interface Asked {
  organizer: Profile | null;
  onAsked: (dialog: OpenDialog) => void;
}

/** The address can ask for a dialog: `?create`. It asks once, so a reload shows the page. */
export function useAskedDialog({ organizer, onAsked }: Asked): void {
  const [query, setQuery] = useSearchParams();
  const isCreating = query.has('create');

  const answer = useEffectEvent(() => {
    if (!organizer) return;
    setQuery({}, { replace: true, state: { keepsScroll: true } });
    if (isAllowed(organizer.access, 'event.create')) onAsked({ is: 'create-event' });
  });
  const isLoaded = organizer !== null;
  useEffect(() => {
    if (isLoaded && isCreating) answer();
  }, [isLoaded, isCreating]);
}

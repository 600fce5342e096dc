import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import { isAllowed } from '#domain/accounts/roles.ts';
import type { OpenDialog } from '#web/profile/ProfileDialog.tsx';
import type { Profile } from '#web/profile/use-profile.ts';

interface Asked {
  organizer: Profile | null;
  openCard: (eventId: string) => Promise<void>;
  onAsked: (dialog: OpenDialog) => void;
}

/** The address can ask for a dialog: `?create`, `?photos=EVENT`. It asks once, so a reload shows the page. */
export function useAskedDialog({ organizer, openCard, onAsked }: Asked): void {
  const [query, setQuery] = useSearchParams();
  const isCreating = query.has('create');
  const photosOf = query.get('photos');

  const answer = useEffectEvent(() => {
    if (!organizer) return;
    setQuery({}, { replace: true, state: { keepsScroll: true } });
    if (isCreating && isAllowed(organizer.access, 'event.create')) onAsked({ is: 'create-event' });
    if (photosOf === null || !isAllowed(organizer.access, 'event.edit')) return;
    if (!organizer.events.some(({ eventId }) => eventId === photosOf)) void openCard(photosOf);
    onAsked({ is: 'add-photos', eventId: photosOf });
  });
  const isLoaded = organizer !== null;
  useEffect(() => {
    if (isLoaded && (isCreating || photosOf !== null)) answer();
  }, [isLoaded, isCreating, photosOf]);
}

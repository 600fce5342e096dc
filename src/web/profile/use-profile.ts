/** The signed-in organizer's profile, reloaded after every change. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { profile } from '#contract/app/accounts.ts';
import { eventPage, type OrganizerEvent } from '#contract/app/events.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { eventsNotLoaded } from '#messages/events.ts';
import { unknownError } from '#messages/pages.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export type Profile = ReplyOf<typeof profile>;

export function useProfile() {
  const navigate = useNavigate();
  const [organizer, setOrganizer] = useState<Profile | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const shownEvents = useRef(0);

  const reload = useCallback(async () => {
    setIsFailed(false);
    try {
      const loaded = await readProfile(shownEvents.current);
      shownEvents.current = loaded.events.length;
      setOrganizer(loaded);
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return void navigate('/login', { replace: true });
      setIsFailed(true);
      toast.error(`Error fetching profile: ${messageFrom(error, unknownError)}`);
    }
  }, [navigate]);

  useEffect(() => void reload(), [reload]);

  async function loadMoreEvents() {
    if (!organizer) return;
    try {
      const more = await withNextPage(organizer);
      shownEvents.current = more.events.length;
      setOrganizer(more);
    } catch (error) {
      toast.error(messageFrom(error, eventsNotLoaded));
    }
  }

  return { organizer, isFailed, reload, loadMoreEvents };
}

/** Reads as many events as were shown, so that a change to one of a later page leaves it in view. */
async function readProfile(shownEvents: number): Promise<Profile> {
  let loaded = await call(profile, {});
  while (loaded.events.length < shownEvents && loaded.eventsNext !== null) loaded = await withNextPage(loaded);
  return loaded;
}

async function withNextPage(shown: Profile): Promise<Profile> {
  if (shown.eventsNext === null) return shown;
  const page = await call(eventPage, { after: shown.eventsNext });
  // An event that ended since the last page was read comes twice.
  const isNew = (event: OrganizerEvent) => shown.events.every(({ eventId }) => eventId !== event.eventId);
  return { ...shown, events: [...shown.events, ...page.events.filter(isNew)], eventsNext: page.eventsNext };
}

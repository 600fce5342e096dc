import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { publicEvent } from '#contract/app/events.ts';
import { call } from '#web/api.ts';
import { offlineStore } from './offline/use-check-in-session.ts';

const navigationState = z.object({
  eventId: z.string(),
  event: z.optional(z.object({ title: z.string(), timezone: z.optional(z.string()) })),
});

/**
 * Picks the event: from the previous page, else from `?event=`, else the one last opened on this device, else the one for which
 * the scanner was installed (`?installed=`). `null` while loading, empty if there is none. The choice is then written to the
 * address, for a reload or another phone.
 */
export function useScannerEvent(): {
  eventId: string | null;
  title: string | undefined;
  timezone: string | undefined;
} {
  const [query] = useSearchParams();
  const location = useLocation();
  const state: unknown = location.state;
  const navigate = useNavigate();
  const navigation = navigationState.safeParse(state);
  const inQuery = query.get('event') ?? '';
  const requested = (navigation.success && navigation.data.eventId) || inQuery;
  const lastOpened = useLastOpenedEvent(requested === '');
  const eventId = requested || (lastOpened === '' ? (query.get('installed') ?? '') : lastOpened);
  const event = useEventInfo(eventId ?? '', navigation.success ? navigation.data.event : undefined);

  useEffect(() => {
    if (!eventId || inQuery === eventId) return;
    void navigate(`?event=${encodeURIComponent(eventId)}`, { replace: true, state });
  }, [eventId, inQuery, navigate, state]);

  return { eventId, title: event?.title, timezone: event?.timezone };
}

function useLastOpenedEvent(isWanted: boolean): string | null {
  const [found, setFound] = useState<string | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    offlineStore()
      .sessions()
      .then(
        ([last]) => setFound(last?.eventId ?? ''),
        () => setFound(''),
      );
  }, [isWanted]);
  return found;
}

interface EventInfo {
  title: string;
  timezone?: string | undefined;
}

/** Best effort: the scanner works without it, even for an event whose page is closed. */
function useEventInfo(eventId: string, navigation: EventInfo | undefined): EventInfo | undefined {
  const [fetched, setFetched] = useState<EventInfo & { eventId: string }>();
  useEffect(() => {
    if (!eventId || navigation !== undefined) return;
    call(publicEvent, { eventId }).then(
      (reply) => {
        if ('title' in reply) setFetched({ eventId, title: reply.title, timezone: reply.timezone });
      },
      () => {},
    );
  }, [eventId, navigation]);
  return navigation ?? (fetched?.eventId === eventId ? fetched : undefined);
}

import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { publicEvent } from '#contract/events.ts';
import { call } from '#web/api.ts';
import { doorStore } from './offline/use-check-in-session.ts';

const navigationState = z.object({
  eventId: z.string(),
  event: z.optional(z.object({ title: z.string(), timezone: z.optional(z.string()) })),
});

/**
 * Which event's door this is: told by the page before, else by `?event=`, else the last that this device has opened, else
 * the one at whose door the scanner was installed (`?installed=`).
 * `null` while that is being looked up; empty if there is none. The address then holds it, for a reload or another phone.
 */
export function useDoorEvent(): {
  eventId: string | null;
  title: string | undefined;
  timezone: string | undefined;
} {
  const [query] = useSearchParams();
  const location = useLocation();
  const state: unknown = location.state;
  const navigate = useNavigate();
  const told = navigationState.safeParse(state);
  const inAddress = query.get('event') ?? '';
  const asked = (told.success && told.data.eventId) || inAddress;
  const kept = useKeptEvent(asked === '');
  const eventId = asked || (kept === '' ? (query.get('installed') ?? '') : kept);
  const event = useEventFacts(eventId ?? '', told.success ? told.data.event : undefined);

  useEffect(() => {
    if (!eventId || inAddress === eventId) return;
    void navigate(`?event=${encodeURIComponent(eventId)}`, { replace: true, state });
  }, [eventId, inAddress, navigate, state]);

  return { eventId, title: event?.title, timezone: event?.timezone };
}

function useKeptEvent(isWanted: boolean): string | null {
  const [found, setFound] = useState<string | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    doorStore()
      .doors()
      .then(
        ([last]) => setFound(last?.eventId ?? ''),
        () => setFound(''),
      );
  }, [isWanted]);
  return found;
}

interface EventFacts {
  title: string;
  timezone?: string | undefined;
}

/** A courtesy: the door works without it, also for an event whose page is closed. */
function useEventFacts(eventId: string, told: EventFacts | undefined): EventFacts | undefined {
  const [fetched, setFetched] = useState<EventFacts & { eventId: string }>();
  useEffect(() => {
    if (!eventId || told !== undefined) return;
    call(publicEvent, { eventId }).then(
      (reply) => {
        if ('title' in reply) setFetched({ eventId, title: reply.title, timezone: reply.timezone });
      },
      () => {},
    );
  }, [eventId, told]);
  return told ?? (fetched?.eventId === eventId ? fetched : undefined);
}

import { useEffect, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { publicEvent } from '#contract/events.ts';
import { call } from '#web/api.ts';
import { lastDoor } from './door-memory.ts';

const navigationState = z.object({
  eventId: z.string(),
  event: z.optional(z.object({ title: z.string() })),
});

/**
 * Which event's door this is: told by the page before, else by `?event=`, else by this tab's memory.
 * `isReturning`: the page was reloaded or gone back to, so an accepted code still counts.
 */
export function useDoorEvent() {
  const [query] = useSearchParams();
  const told = navigationState.safeParse(useLocation().state);
  const eventId = (told.success && told.data.eventId) || query.get('event') || lastDoor()?.eventId || '';
  const toldTitle = told.success ? told.data.event?.title : undefined;
  const [fetched, setFetched] = useState<{ eventId: string; title: string }>();

  useEffect(() => {
    if (!eventId || toldTitle !== undefined) return;
    // The title is a courtesy: the door works without it, also for an event whose page is closed.
    call(publicEvent, { eventId }).then(
      (reply) => {
        if ('title' in reply) setFetched({ eventId, title: reply.title });
      },
      () => {},
    );
  }, [eventId, toldTitle]);

  return {
    eventId,
    title: toldTitle ?? (fetched?.eventId === eventId ? fetched.title : undefined),
    isReturning: useNavigationType() === 'POP',
  };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { eventNotFound, type PublicEvent, publicEvent } from '#contract/events.ts';
import { CallError, call, messageFrom } from '#web/api.ts';

export type EventState = { is: 'loading' } | { is: 'on-page'; event: PublicEvent } | { is: 'unavailable'; msg: string };

/** The event, or the sentence that stands in its place. `reload` keeps what is shown unless there is news. */
export function useEvent(eventId: string) {
  const [state, setState] = useState<EventState>({ is: 'loading' });
  const turn = useRef(0);

  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    try {
      const reply = await call(publicEvent, { eventId });
      if (mine !== turn.current) return;
      setState('msg' in reply ? { is: 'unavailable', msg: reply.msg } : { is: 'on-page', event: reply });
    } catch (error) {
      if (mine !== turn.current) return;
      const msg = error instanceof CallError && error.status > 0 ? messageFrom(error, eventNotFound) : eventNotFound;
      setState((shown) => (shown.is === 'on-page' ? shown : { is: 'unavailable', msg }));
    }
  }, [eventId]);

  useEffect(() => {
    setState({ is: 'loading' });
    void reload();
  }, [reload]);

  return { state, reload };
}

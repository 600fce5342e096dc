import { useEffect, useState } from 'react';
import { type PublicEvent, publicEvent } from '#contract/app/events.ts';
import { call } from '#web/api.ts';

/** The event may be moved, cancelled or over by now. */
const REFRESH_MS = 60_000;

export interface PublicEventState {
  /** Date and address, while the event page is open. */
  event: PublicEvent | null;
  status: 'open' | 'cancelled' | 'ended';
}

/** The event's public data; null while loading. The door page works without it. */
export function usePublicEvent(eventId: string): PublicEventState | null {
  const [state, setState] = useState<PublicEventState | null>(null);

  useEffect(() => {
    const leave = new AbortController();
    const load = async () => {
      const reply = await call(publicEvent, { eventId }, { signal: leave.signal });
      if ('title' in reply) setState({ event: reply, status: 'open' });
      else
        setState((last) => ({
          event: last?.event ?? null,
          status: reply.code === 'event-cancelled' ? 'cancelled' : 'ended',
        }));
    };
    const refresh = () => void load().catch(() => {});
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      leave.abort();
      clearInterval(timer);
    };
  }, [eventId]);

  return state;
}

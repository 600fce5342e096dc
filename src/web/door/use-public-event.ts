import { useEffect, useState } from 'react';
import { eventCancelled, type PublicEvent, publicEvent } from '#contract/events.ts';
import { call } from '#web/api.ts';

/** An evening is long: somebody may cancel the event, move it, or it ends. */
const AGAIN_MS = 60_000;

export interface PublicFacts {
  /** Date and place, while the event's page is open. */
  event: PublicEvent | null;
  is: 'on' | 'cancelled' | 'over';
}

/** What everyone may know of the event. The doors are shown without it, too: null until it is there. */
export function usePublicFacts(eventId: string): PublicFacts | null {
  const [facts, setFacts] = useState<PublicFacts | null>(null);

  useEffect(() => {
    const leave = new AbortController();
    const ask = async () => {
      const reply = await call(publicEvent, { eventId }, { signal: leave.signal });
      if ('title' in reply) setFacts({ event: reply, is: 'on' });
      else
        setFacts((last) => ({ event: last?.event ?? null, is: reply.msg === eventCancelled ? 'cancelled' : 'over' }));
    };
    const askOrLeaveIt = () => void ask().catch(() => {});
    askOrLeaveIt();
    const timer = setInterval(askOrLeaveIt, AGAIN_MS);
    return () => {
      leave.abort();
      clearInterval(timer);
    };
  }, [eventId]);

  return facts;
}

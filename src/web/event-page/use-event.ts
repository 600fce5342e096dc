import { useCallback, useEffect, useRef, useState } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { eventNotFound } from '#messages/sales/event-page.ts';
import { messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError, loadCode } from '#web/load-code.ts';
import { usePageProps } from '#web/page-props-context.ts';

export type EventState =
  | { status: 'loading' }
  | { status: 'open'; event: PublicEvent }
  | { status: 'unavailable'; msg: string }
  | { status: 'not-loaded'; error: CodeNotLoadedError };

/** The embedded event data is fresh on the first visit only; a later one in the same page load fetches it. */
let isFirstVisit = true;

/** The event, or the message to show instead. `reload` keeps the current event on failure. */
export function useEvent(eventId: string) {
  const embedded = usePageProps().event;
  const isEmbedded =
    embedded !== undefined && (embedded.eventId === eventId || (embedded.eventId === null && isFirstVisit));
  const [state, setState] = useState<EventState>(isEmbedded ? stateOf(embedded.reply) : { status: 'loading' });
  const lastRequest = useRef(0);

  const reload = useCallback(async () => {
    lastRequest.current += 1;
    const request = lastRequest.current;
    try {
      const { readEvent } = await loadCode(() => import('./event-calls.ts'));
      const reply = await readEvent(eventId);
      if (request === lastRequest.current) setState(stateOf(reply));
    } catch (error) {
      if (request !== lastRequest.current) return;
      const failure: EventState =
        error instanceof CodeNotLoadedError
          ? { status: 'not-loaded', error }
          : { status: 'unavailable', msg: messageFrom(error, eventNotFound) };
      setState((shown) => (shown.status === 'open' ? shown : failure));
    }
  }, [eventId]);

  useEffect(() => {
    if (!isEmbedded || !isFirstVisit) void reload();
    return () => {
      isFirstVisit = false;
    };
  }, [isEmbedded, reload]);

  return { state, reload };
}

function stateOf(reply: PublicEvent | { msg: string }): EventState {
  return 'msg' in reply ? { status: 'unavailable', msg: reply.msg } : { status: 'open', event: reply };
}

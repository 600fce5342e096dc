import { useCallback, useEffect, useRef, useState } from 'react';
import { eventNotFound } from '#contract/event-words.ts';
import type { PublicEvent } from '#contract/events.ts';
import { messageFrom } from '#web/call-error.ts';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { usePageFacts } from '#web/page-facts-context.ts';
import { loadEventCalls } from './load-event-calls.ts';

export type EventState =
  | { is: 'loading' }
  | { is: 'on-page'; event: PublicEvent }
  | { is: 'unavailable'; msg: string }
  | { is: 'not-loaded'; error: CodeNotLoadedError };

/** What the page brought along is fresh once: whoever comes back to it later asks again. */
let isFresh = true;

/** The event, or the sentence that stands in its place. `reload` keeps what is shown unless there is news. */
export function useEvent(eventId: string) {
  const brought = usePageFacts().event;
  const isBrought = brought?.eventId === eventId;
  const [state, setState] = useState<EventState>(isBrought ? stateOf(brought.reply) : { is: 'loading' });
  const turn = useRef(0);

  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    try {
      const { readEvent } = await loadEventCalls();
      const reply = await readEvent(eventId);
      if (mine === turn.current) setState(stateOf(reply));
    } catch (error) {
      if (mine !== turn.current) return;
      const instead: EventState =
        error instanceof CodeNotLoadedError
          ? { is: 'not-loaded', error }
          : { is: 'unavailable', msg: messageFrom(error, eventNotFound) };
      setState((shown) => (shown.is === 'on-page' ? shown : instead));
    }
  }, [eventId]);

  useEffect(() => {
    if (!isBrought || !isFresh) void reload();
    return () => {
      isFresh = false;
    };
  }, [isBrought, reload]);

  return { state, reload };
}

function stateOf(reply: PublicEvent | { msg: string }): EventState {
  return 'msg' in reply ? { is: 'unavailable', msg: reply.msg } : { is: 'on-page', event: reply };
}

import { useCallback, useEffect, useState } from 'react';
import { type EventTickets, eventTickets } from '#contract/app/events.ts';
import { ticketSettings } from '#messages/sales/ticket-settings.ts';
import { CallError, call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';

interface Loading {
  tickets: EventTickets | null;
  /** Counts what was loaded: two versions can be equal. */
  loads: number;
  failure: LoadFailure | null;
  isUnknown: boolean;
}

export function useTickets(eventId: string) {
  const logIn = useLogIn();
  const [state, setState] = useState<Loading>({ tickets: null, loads: 0, failure: null, isUnknown: false });
  const reload = useCallback(async () => {
    try {
      const tickets = await call(eventTickets, { eventId });
      setState(({ loads }) => ({ tickets, loads: loads + 1, failure: null, isUnknown: false }));
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (status === 401) logIn();
      const failure = failureFrom(error, ticketSettings.notLoaded);
      setState((last) => ({ ...last, failure, isUnknown: status === 404 }));
    }
  }, [eventId, logIn]);
  useEffect(() => void reload(), [reload]);
  return { ...state, reload };
}

import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { eventMoney } from '#contract/app/records/workspace.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { moneyTab } from '#messages/records/workspace.ts';
import { CallError, call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';

export type EventMoney = ReplyOf<typeof eventMoney>;

/** Reloaded after every change. */
export function useEventMoney(eventId: string) {
  const navigate = useNavigate();
  const [state, setState] = useState<{ money: EventMoney | null; failure: LoadFailure | null }>({
    money: null,
    failure: null,
  });
  const reload = useCallback(async () => {
    try {
      setState({ money: await call(eventMoney, { eventId }), failure: null });
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return void navigate('/login', { replace: true });
      setState((last) => ({ ...last, failure: failureFrom(error, moneyTab.notLoaded) }));
    }
  }, [eventId, navigate]);
  useEffect(() => void reload(), [reload]);
  return { ...state, reload };
}

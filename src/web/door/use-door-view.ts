import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type CheckInDashboard } from '#contract/app/check-in-devices.ts';
import { outage } from '#messages/pages.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { pollDoorView } from './poll-door-view.ts';

interface DoorViewState {
  /** The latest view, kept through failures. */
  view: CheckInDashboard | null;
  /** Why the last poll failed; null after a success. */
  failure: LoadFailure | null;
  isUnknown: boolean;
}

export function useDoorView(eventId: string) {
  const navigate = useNavigate();
  const [state, setState] = useState<DoorViewState>({ view: null, failure: null, isUnknown: false });
  const [restarts, setRestarts] = useState(0);

  useEffect(() => {
    const leave = new AbortController();
    const listener = {
      onView: (view: CheckInDashboard) => setState({ view, failure: null, isUnknown: false }),
      onError: (error: unknown) => setState((last) => ({ ...last, failure: failureFrom(error, outage) })),
      onDenied(status: 401 | 404) {
        if (status === 401) void navigate('/login', { replace: true });
        else setState((last) => ({ ...last, isUnknown: true }));
      },
    };
    void pollDoorView(eventId, listener, leave.signal);
    return () => leave.abort();
  }, [eventId, navigate, restarts]);

  /** Polls right away, after a change on this page. */
  const refresh = useCallback(() => setRestarts((count) => count + 1), []);
  return { ...state, refresh };
}

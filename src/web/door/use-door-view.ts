import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DoorView } from '#contract/door-view-words.ts';
import { outage } from '#contract/page-words.ts';
import { messageFrom } from '#web/api.ts';
import { followDoors } from './poll-door-view.ts';

interface DoorViewState {
  /** The last one that came; a later failure leaves it standing. */
  view: DoorView | null;
  /** Why the last try brought nothing. */
  missed: string | null;
  isUnknown: boolean;
}

export function useDoorView(eventId: string) {
  const navigate = useNavigate();
  const [state, setState] = useState<DoorViewState>({ view: null, missed: null, isUnknown: false });
  const [round, setRound] = useState(0);

  useEffect(() => {
    const leave = new AbortController();
    const listener = {
      seen: (view: DoorView) => setState({ view, missed: null, isUnknown: false }),
      missed: (error: unknown) => setState((last) => ({ ...last, missed: messageFrom(error, outage) })),
      refused(status: 401 | 404) {
        if (status === 401) void navigate('/login', { replace: true });
        else setState((last) => ({ ...last, isUnknown: true }));
      },
    };
    void followDoors(eventId, listener, leave.signal);
    return () => leave.abort();
  }, [eventId, navigate, round]);

  /** At once: something was changed here. */
  const lookAgain = useCallback(() => setRound((rounds) => rounds + 1), []);
  return { ...state, lookAgain };
}

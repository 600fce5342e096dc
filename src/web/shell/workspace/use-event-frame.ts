/** Title, status and counts of an event, for the frame around its screens. */
import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type EventFrame, eventFrame } from '#contract/app/records/workspace.ts';
import { eventFrameText } from '#messages/records/workspace.ts';
import { CallError, call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';

interface FrameState {
  frame: EventFrame | null;
  failure: LoadFailure | null;
  isUnknown: boolean;
}

/** The last event that was shown, so that its next screen opens with the frame in place. */
let shown: EventFrame | null = null;

const POLL_MS = 15_000;

export function useEventFrame(eventId: string) {
  const navigate = useNavigate();
  const [state, setState] = useState<FrameState>(() => ({
    frame: shown?.eventId === eventId ? shown : null,
    failure: null,
    isUnknown: false,
  }));

  const reload = useCallback(async () => {
    try {
      const frame = await call(eventFrame, { eventId });
      shown = frame;
      setState({ frame, failure: null, isUnknown: false });
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (status === 401) void navigate('/login', { replace: true });
      const failure = failureFrom(error, eventFrameText.notLoaded);
      setState((last) => ({ ...last, failure, isUnknown: status === 404 }));
    }
  }, [eventId, navigate]);

  useEffect(() => {
    void reload();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [reload]);

  return { ...state, reload };
}

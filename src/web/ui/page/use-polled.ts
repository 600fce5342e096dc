import { useCallback, useEffect, useState } from 'react';
import { outage } from '#messages/pages.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { type Poll, poll } from './poll.ts';
import { useLogIn } from './use-log-in.ts';

interface Polled<View> {
  /** The latest view, kept through failures. */
  view: View | null;
  /** Why the last poll failed; null after a success. */
  failure: LoadFailure | null;
  isUnknown: boolean;
}

/** @param read the same function as long as it reads the same */
export function usePolled<View>(read: Poll<View>['read'], everyMs: number) {
  const logIn = useLogIn();
  const [state, setState] = useState<Polled<View>>({ view: null, failure: null, isUnknown: false });
  const [restarts, setRestarts] = useState(0);

  // `restarts` reads it again.
  useEffect(() => {
    const leave = new AbortController();
    const listener = {
      onView: (view: View) => setState({ view, failure: null, isUnknown: false }),
      onError: (error: unknown) => setState((last) => ({ ...last, failure: failureFrom(error, outage) })),
      onDenied(status: 401 | 404) {
        if (status === 401) logIn();
        else setState((last) => ({ ...last, isUnknown: true }));
      },
    };
    void poll({ read, everyMs }, listener, leave.signal);
    return () => leave.abort();
  }, [read, everyMs, logIn, restarts]);

  /** Reads right away, after a change on this page. */
  const refresh = useCallback(() => setRestarts((count) => count + 1), []);
  return { ...state, refresh };
}

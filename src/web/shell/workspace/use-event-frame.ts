/** Title, status and counts of an event, for the frame around its screens. */
import { useCallback, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { type EventFrame, eventFrame } from '#contract/app/records/workspace.ts';
import { call } from '#web/api.ts';
import { usePolled } from '#web/ui/page/use-polled.ts';

const POLL_MS = 15_000;

/** The last event that was shown, so that its next screen opens with the frame in place. */
let shown: EventFrame | null = null;
const watchers = new Set<() => void>();

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

/** The event that the screen is of. */
export function useOpenEvent(): EventFrame | null {
  const { pathname } = useLocation();
  const frame = useSyncExternalStore(watch, () => shown);
  return frame && pathname.split('/').includes(frame.eventId) ? frame : null;
}

export function useEventFrame(eventId: string) {
  const read = useCallback(
    async (signal: AbortSignal) => {
      shown = await call(eventFrame, { eventId }, { signal });
      for (const notify of watchers) notify();
      return shown;
    },
    [eventId],
  );
  const { view, ...state } = usePolled(read, POLL_MS);
  return { ...state, frame: view ?? (shown?.eventId === eventId ? shown : null) };
}

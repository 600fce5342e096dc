/** Title, status and counts of an event, for the frame around its screens. */
import { useCallback } from 'react';
import { type EventFrame, eventFrame } from '#contract/app/records/workspace.ts';
import { call } from '#web/api.ts';
import { usePolled } from '#web/ui/page/use-polled.ts';

const POLL_MS = 15_000;

/** The last event that was shown, so that its next screen opens with the frame in place. */
let shown: EventFrame | null = null;

export function useEventFrame(eventId: string) {
  const read = useCallback(
    async (signal: AbortSignal) => {
      shown = await call(eventFrame, { eventId }, { signal });
      return shown;
    },
    [eventId],
  );
  const { view, ...state } = usePolled(read, POLL_MS);
  return { ...state, frame: view ?? (shown?.eventId === eventId ? shown : null) };
}

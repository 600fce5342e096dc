/** The dates of an event's series, and the progress of a change of several. */
import { useCallback, useState } from 'react';
import { type EventSeries, eventSeries } from '#contract/app/sales/series-changes.ts';
import { call } from '#web/api.ts';
import { usePolled } from '#web/ui/page/use-polled.ts';

const RUNNING_MS = 1000;
const QUIET_MS = 30_000;

export function useSeries(eventId: string) {
  const [isRunning, setIsRunning] = useState(false);
  const read = useCallback(
    async (signal: AbortSignal) => {
      const reply = await call(eventSeries, { eventId }, { signal });
      setIsRunning(reply.series?.change?.isRunning ?? false);
      return reply;
    },
    [eventId],
  );
  const { view, ...state } = usePolled(read, isRunning ? RUNNING_MS : QUIET_MS);
  return { ...state, isLoaded: view !== null, series: view?.series ?? null };
}

/** Those of the last change. */
export const changedDates = ({ dates }: EventSeries) => dates.filter(({ result }) => result !== null);

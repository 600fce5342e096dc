import { useEffect, useEffectEvent, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type EventRow, eventRows } from '#contract/app/records/workspace.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { EventGroup } from '#domain/sales/event-status.ts';
import { eventList } from '#messages/records/workspace.ts';
import { call, messageFrom } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { toast } from '#web/ui/feedback/toast.ts';

interface Rows {
  /** What was asked for. */
  group: EventGroup;
  q: string;
  rows: readonly EventRow[];
  next: string | null;
}

/** Loaded again when the profile's events change, with as many lines as were shown. */
export function useEventRows(group: EventGroup, q: string, events: readonly OrganizerEvent[]) {
  const [list, setList] = useState<Rows | null>(null);
  const [counts, setCounts] = useState<ReplyOf<typeof eventRows>['counts'] | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const [loads, setLoads] = useState(0);
  const isShown = list?.group === group && list.q === q;
  const shownRows = isShown ? list.rows.length : 0;

  const read = useEffectEvent((signal: AbortSignal) => readRows({ group, q }, shownRows, signal));

  // `events` and `loads` ask for it again.
  useEffect(() => {
    const stop = new AbortController();
    read(stop.signal).then(
      ({ counts: all, ...found }) => {
        setList({ group, q, ...found });
        setCounts(all);
        setFailure(null);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setFailure(failureFrom(error, eventList.notLoaded));
      },
    );
    return () => stop.abort();
  }, [group, q, events, loads]);

  async function loadMore() {
    if (!list?.next) return;
    setIsLoading(true);
    try {
      const page = await call(eventRows, { group, ...(q && { q }), after: list.next });
      setList({ ...list, rows: [...list.rows, ...page.rows], next: page.next });
    } catch (error) {
      toast.error(messageFrom(error, eventList.notLoaded));
    }
    setIsLoading(false);
  }

  return {
    rows: isShown ? list.rows : null,
    next: isShown ? list.next : null,
    counts,
    failure,
    isLoading,
    loadMore,
    reload: async () => setLoads(loads + 1),
  };
}

async function readRows({ group, q }: Pick<Rows, 'group' | 'q'>, atLeast: number, signal: AbortSignal) {
  const asked = { group, ...(q && { q }) };
  const first = await call(eventRows, asked, { signal });
  let { rows, next } = first;
  while (rows.length < atLeast && next !== null) {
    const page = await call(eventRows, { ...asked, after: next }, { signal });
    rows = [...rows, ...page.rows];
    next = page.next;
  }
  return { rows, next, counts: first.counts };
}

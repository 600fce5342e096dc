/** The guests of an event by name. Pages load as they come into view; the ends of all of them are known from the start. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import {
  type GuestFilters,
  type GuestTable,
  guestRows,
  guestTable,
  type ListedGuest,
} from '#contract/app/sales/guest-table.ts';
import { statesOf } from '#domain/sales/guest-list.ts';
import { guestTablePage as text } from '#messages/sales/guest-table.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { toast } from '#web/ui/feedback/toast.ts';

const ROWS_PER_PAGE = 100;

interface List {
  filters: GuestFilters;
  table: GuestTable;
  pages: ReadonlyMap<number, readonly ListedGuest[]>;
  /** The pages that are loaded, or loading. */
  asked: Set<number>;
}

interface Loading {
  /** Of the last filters, until that of the new ones is here. */
  list: List | null;
  failure: LoadFailure | null;
  isUnknown: boolean;
}

export function useGuestList(eventId: string, filters: GuestFilters) {
  const navigate = useNavigate();
  const [loads, setLoads] = useState(0);
  const [{ list, failure, isUnknown }, setState] = useState<Loading>({ list: null, failure: null, isUnknown: false });

  // `loads` asks for it again.
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const wanted = { eventId, ...filters };
    Promise.all([call(guestRows, wanted, { signal }), call(guestTable, wanted, { signal })]).then(
      ([{ guests }, table]) => {
        if (signal.aborted) return;
        const list = { filters, table, pages: new Map([[0, guests]]), asked: new Set([0]) };
        setState({ list, failure: null, isUnknown: false });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const status = error instanceof CallError ? error.status : 0;
        if (status === 401) void navigate('/login', { replace: true });
        setState((last) => ({ ...last, failure: failureFrom(error, text.notLoaded), isUnknown: status === 404 }));
      },
    );
    return () => stop.abort();
  }, [eventId, filters, navigate, loads]);

  const starts = useMemo(() => startsOf(list), [list]);
  const total = starts.at(-1) ?? 0;

  const guestAt = (index: number): ListedGuest | undefined => {
    const page = pageAt(starts, index);
    return list?.pages.get(page)?.[index - (starts[page] ?? 0)];
  };

  /** The pages that are needed to show the rows between two. */
  const missingBetween = (from: number, to: number): number[] => {
    if (!list) return [];
    const pages = [];
    for (let page = pageAt(starts, from); page <= pageAt(starts, to); page++)
      if (!list.pages.has(page)) pages.push(page);
    return pages;
  };

  async function loadPage(page: number) {
    if (!list || list.asked.has(page)) return;
    const { asked, filters: of, table } = list;
    asked.add(page);
    const [after, until] = [table.marks[page - 1], table.marks[page]];
    try {
      const { guests } = await call(guestRows, { eventId, ...of, ...(after && { after }), ...(until && { until }) });
      setState((last) =>
        last.list?.table === table
          ? { ...last, list: { ...last.list, pages: new Map(last.list.pages).set(page, guests) } }
          : last,
      );
    } catch (error) {
      asked.delete(page);
      toast.error(messageFrom(error, text.notLoaded));
    }
  }

  return {
    table: list?.table ?? null,
    isStale: list !== null && list.filters !== filters,
    isLoading: list === null && failure === null,
    total,
    guestAt,
    missingBetween,
    loadPage,
    failure,
    isUnknown,
    reload: useCallback(async () => setLoads((last) => last + 1), []),
  };
}

/** The index of each page's first row, and last that after all rows. */
function startsOf(list: List | null): number[] {
  if (!list) return [0];
  const { marks } = list.table;
  const listed = countOf(list.table, list.filters);
  const starts = [0];
  for (let page = 0; page <= marks.length; page++) {
    const expected = page < marks.length ? ROWS_PER_PAGE : Math.max(0, listed - marks.length * ROWS_PER_PAGE);
    starts.push((starts.at(-1) ?? 0) + (list.pages.get(page)?.length ?? expected));
  }
  return starts;
}

function pageAt(starts: readonly number[], index: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How many guests these filters would list, all other things being equal. */
export function countOf({ counts }: GuestTable, { q, type, state, channel }: GuestFilters): number {
  const states = statesOf(state, Boolean(q));
  return counts
    .filter(
      (one) =>
        (states === null || states.some((shown) => shown === one.state)) &&
        (type === undefined || one.ticketId === type) &&
        (channel === undefined || one.channel === channel),
    )
    .reduce((sum, { tickets }) => sum + tickets, 0);
}

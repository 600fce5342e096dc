/** A list whose pages load as they come into view. Where they end is read with the second one. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { PageEnds } from '#contract/app/sales/page-ends.ts';
import { CallError } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';

const ROWS_PER_PAGE = 100;

/** The rows that bound a page: after the one, up to the other. */
export interface PageBounds {
  after?: string;
  until?: string;
}

export interface ListSource<Filters, Table, Row> {
  readTable: (eventId: string, filters: Filters, signal: AbortSignal) => Promise<Table>;
  readPage: (eventId: string, filters: Filters, bounds: PageBounds, signal?: AbortSignal) => Promise<readonly Row[]>;
  /** What follows a row. */
  readEnds: (eventId: string, filters: Filters, after: string) => Promise<PageEnds>;
  idOf: (row: Row) => string;
  /** How many rows these filters list. */
  count: (table: Table, filters: Filters) => number;
  notLoaded: string;
}

interface List<Filters, Table, Row> {
  filters: Filters;
  table: Table;
  /** Counts the lists that were loaded. */
  generation: number;
  pages: ReadonlyMap<number, readonly Row[]>;
  /** By page. */
  failures: ReadonlyMap<number, LoadFailure>;
  /** What follows the first page, once another is needed. */
  rest: PageEnds | null;
  asked: {
    /** Those that are loaded, or loading. */
    pages: Set<number>;
    rest: Promise<PageEnds> | null;
  };
  /** Aborted once another list is asked for, or the screen is left. */
  signal: AbortSignal;
}

interface Loading<Filters, Table, Row> {
  /** Of the last filters, until that of the new ones is here. */
  list: List<Filters, Table, Row> | null;
  failure: LoadFailure | null;
  isUnknown: boolean;
}

export function usePagedList<Filters, Table, Row>(
  source: ListSource<Filters, Table, Row>,
  eventId: string,
  filters: Filters,
) {
  const logIn = useLogIn();
  const [loads, setLoads] = useState(0);
  const [{ list, failure, isUnknown }, setState] = useState<Loading<Filters, Table, Row>>({
    list: null,
    failure: null,
    isUnknown: false,
  });

  // `loads` asks for it again.
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    Promise.all([source.readPage(eventId, filters, {}, signal), source.readTable(eventId, filters, signal)]).then(
      ([rows, table]) => {
        if (signal.aborted) return;
        const asked = { pages: new Set([0]), rest: null };
        const list = { filters, table, pages: new Map([[0, rows]]), failures: new Map(), rest: null, asked, signal };
        setState((last) => ({
          list: { ...list, generation: (last.list?.generation ?? 0) + 1 },
          failure: null,
          isUnknown: false,
        }));
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const status = error instanceof CallError ? error.status : 0;
        if (status === 401) logIn();
        setState((last) => ({ ...last, failure: failureFrom(error, source.notLoaded), isUnknown: status === 404 }));
      },
    );
    return () => stop.abort();
  }, [source, eventId, filters, logIn, loads]);

  const starts = useMemo(() => startsOf(source, list), [source, list]);
  const total = starts.at(-1) ?? 0;

  const rowAt = (index: number): Row | undefined => {
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

  /** The message about an earlier failure stays until the page is here if it is retried, and goes otherwise. */
  async function loadPage(page: number, { isRetry = false } = {}) {
    const lastOfFirst = list?.pages.get(0)?.at(-1);
    if (!list || !lastOfFirst || list.asked.pages.has(page)) return;
    const { asked, filters: of, table, signal } = list;
    const change = (changesOf: (current: List<Filters, Table, Row>) => Partial<List<Filters, Table, Row>>) =>
      setState((last) =>
        last.list?.table === table ? { ...last, list: { ...last.list, ...changesOf(last.list) } } : last,
      );
    asked.pages.add(page);
    if (!isRetry && list.failures.has(page)) change(({ failures }) => ({ failures: without(failures, page) }));
    try {
      const firstEnd = source.idOf(lastOfFirst);
      const rest = await restOf(asked, () => source.readEnds(eventId, of, firstEnd));
      const ends = [firstEnd, ...rest.ends];
      const [after, until] = [ends[page - 1], ends[page]];
      // Without an end before it, the list has become shorter.
      const rows = after ? await source.readPage(eventId, of, { after, ...(until && { until }) }) : [];
      change(({ pages, failures }) => ({
        rest,
        pages: new Map(pages).set(page, rows),
        failures: without(failures, page),
      }));
    } catch (error) {
      asked.pages.delete(page);
      if (signal.aborted) return;
      if (error instanceof CallError && error.status === 401) logIn();
      const failed = failureFrom(error, source.notLoaded);
      change(({ failures }) => ({ failures: new Map(failures).set(page, failed) }));
    }
  }

  return {
    table: list?.table ?? null,
    generation: list?.generation ?? 0,
    isStale: list !== null && list.filters !== filters,
    isLoading: list === null && failure === null,
    total,
    rowAt,
    missingBetween,
    failureOf: (page: number) => list?.failures.get(page),
    loadPage,
    failure,
    isUnknown,
    reload: useCallback(async () => setLoads((last) => last + 1), []),
  };
}

/** What a table of the rows needs. */
export interface PagedRows<Row> {
  /** Another one after each reload. */
  generation: number;
  total: number;
  rowAt: (index: number) => Row | undefined;
  missingBetween: (from: number, to: number) => number[];
  failureOf: (page: number) => LoadFailure | undefined;
  loadPage: (page: number, options?: { isRetry: boolean }) => Promise<void>;
  isStale: boolean;
}

/** The index of each page's first row, and last that after all rows. */
function startsOf<Filters, Table, Row>(
  { count }: ListSource<Filters, Table, Row>,
  list: List<Filters, Table, Row> | null,
): number[] {
  if (!list) return [0];
  const { pages, rest } = list;
  const first = pages.get(0)?.length ?? 0;
  const following = rest?.rows ?? Math.max(0, count(list.table, list.filters) - first);
  const fullPages = rest?.ends.length ?? Math.floor(following / ROWS_PER_PAGE);
  const starts = [0, first];
  for (let page = 1; page <= fullPages + 1; page++) {
    const expected = page <= fullPages ? ROWS_PER_PAGE : following - fullPages * ROWS_PER_PAGE;
    starts.push((starts.at(-1) ?? 0) + (pages.get(page)?.length ?? expected));
  }
  return starts;
}

const without = <Value>(map: ReadonlyMap<number, Value>, key: number): ReadonlyMap<number, Value> =>
  new Map([...map].filter(([one]) => one !== key));

/** Asks once; after a failure, again. */
function restOf(asked: { rest: Promise<PageEnds> | null }, read: () => Promise<PageEnds>): Promise<PageEnds> {
  asked.rest ??= read().catch((error: unknown) => {
    asked.rest = null;
    throw error;
  });
  return asked.rest;
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

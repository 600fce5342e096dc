import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import type { PagedRows } from './use-paged-list.ts';
import styles from './WindowTable.module.css';

/** Goes on the link that opens the row. */
export interface Opener {
  className: string | undefined;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface WindowTableProps<Row> {
  caption: string;
  columns: readonly string[];
  list: PagedRows<Row>;
  /** The grid of the columns. */
  rowClass: string | undefined;
  isOpen: (row: Row) => boolean;
  /** The cells of a row. */
  children: (row: Row, opener: Opener) => ReactNode;
}

/** Before a row is measured. */
const ROW_PX = 56;
const OVERSCAN = 12;
/** A page that is only scrolled past isn't loaded. */
const REST_MS = 80;

/** Renders the rows in view only. The rest of the page's height stands for all others. */
export function WindowTable<Row>({ caption, columns, list, rowClass, isOpen, children }: WindowTableProps<Row>) {
  const { generation, total, rowAt, missingBetween, failureOf, loadPage, isStale } = list;
  const body = useRef<HTMLDivElement>(null);
  const message = useRef<HTMLDivElement>(null);
  const top = useTop(body);
  /** Stays rendered out of view: else the focus would be lost. */
  const [focused, setFocused] = useState<number | null>(null);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const rows = defaultRangeExtractor(range);
      if (focused === null || focused >= range.count || rows.includes(focused)) return rows;
      return [...rows, focused].sort((one, other) => one - other);
    },
    [focused],
  );
  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor,
  });
  const rows = virtual.getVirtualItems();
  const height = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (body.current) body.current.style.height = `${height}px`;
  }, [height]);
  // With those just out of view, which the arrow keys reach.
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const [first, last] = [Math.max(0, startIndex - OVERSCAN), Math.min(total - 1, endIndex + OVERSCAN)];
  const missing = missingBetween(first, last);
  const failure = missing.map(failureOf).find((failed) => failed !== undefined);
  useLoading(generation, missing, loadPage);

  const linkOf = (index: number) => body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);

  /** Its button goes with the message, and the focus back to the row that had it. */
  const isRetried = useRef(false);
  const focusRow = useEffectEvent(() => {
    const isFocusLost = isRetried.current && document.activeElement === document.body;
    isRetried.current = false;
    const isInView = focused !== null && focused >= startIndex && focused <= endIndex;
    if (isFocusLost && isInView) linkOf(focused)?.focus({ preventScroll: true });
  });
  const isFailed = failure !== undefined;
  useEffect(() => (isFailed ? () => focusRow() : undefined), [isFailed]);

  async function retry() {
    isRetried.current = true;
    await Promise.all(missing.map((page) => loadPage(page, { isRetry: true })));
  }

  /** The rows next to one in view are rendered, so the focus is there for the next key. Where one failed to load, it goes to the button. */
  function onKeyDown(event: KeyboardEvent, index: number) {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = index + step;
    const isMissing = next >= 0 && next < total && missingBetween(next, next).some(failureOf);
    (isMissing ? message.current?.querySelector('button') : linkOf(next))?.focus();
  }

  return (
    <>
      <div
        role="table"
        aria-label={caption}
        aria-rowcount={total + 1}
        aria-busy={isStale}
        className={classNames(styles.table, isFailed && styles.underMessage)}
      >
        <div role="rowgroup" className={styles.tableHead}>
          <div role="row" aria-rowindex={1} className={classNames(styles.row, rowClass)}>
            {columns.map((column) => (
              <span key={column} role="columnheader">
                {column}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" ref={body} className={classNames(styles.tableBody, isStale && styles.stale)}>
          {rows.map(({ index, key, start }) => {
            const row = rowAt(index);
            return (
              <WindowRow
                key={key}
                index={index}
                top={start - top}
                measure={virtual.measureElement}
                className={classNames(rowClass, row !== undefined && isOpen(row) && styles.open)}
              >
                {row === undefined ? (
                  <span role="cell" className={styles.loadingCell}>
                    <Skeleton className={styles.loadingRow} />
                  </span>
                ) : (
                  children(row, {
                    className: styles.opener,
                    onFocus: () => setFocused(index),
                    onKeyDown: (event) => onKeyDown(event, index),
                  })
                )}
              </WindowRow>
            );
          })}
        </div>
      </div>
      {failure && (
        <div ref={message} className={styles.failure}>
          <NotLoaded {...failure} onRetry={retry} />
        </div>
      )}
    </>
  );
}

/** Where the list begins on the page. What is above it changes with its filters, and with the window. */
function useTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() =>
      setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)),
    );
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}

interface WindowRowProps {
  index: number;
  /** In the list, in pixels. */
  top: number;
  measure: (row: HTMLElement | null) => void;
  className: string | undefined;
  children: ReactNode;
}

function WindowRow({ index, top, measure, className, children }: WindowRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (row.current) row.current.style.transform = `translateY(${top}px)`;
  }, [top]);
  useLayoutEffect(() => {
    measure(row.current);
    return () => measure(null);
  }, [measure]);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      ref={row}
      className={classNames(styles.row, styles.line, className)}
    >
      {children}
    </div>
  );
}

/** Loads pages that stay in view, once each time that they come there, and for each list. */
function useLoading(generation: number, pages: readonly number[], loadPage: (page: number) => Promise<void>) {
  const load = useEffectEvent(loadPage);
  const asked = useRef<readonly string[]>([]);
  const missing = pages.map((page) => `${generation} ${page}`).join();
  useEffect(() => {
    const inView = missing === '' ? [] : missing.split(',');
    asked.current = asked.current.filter((one) => inView.includes(one));
    const timer = setTimeout(() => {
      for (const one of inView.filter((each) => !asked.current.includes(each))) void load(Number(one.split(' ')[1]));
      asked.current = inView;
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [missing]);
}

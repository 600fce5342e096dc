import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
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
import { Link, type To } from 'react-router';
import type { ListedGuest } from '#contract/app/sales/guest-table.ts';
import { compMark } from '#messages/guests.ts';
import { guestDrawer, guestTablePage as text } from '#messages/sales/guest-table.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './guests.module.css';
import { StateChip } from './StateChip.tsx';
import type { useGuestList } from './use-guest-list.ts';

interface GuestTableProps {
  caption: string;
  list: Pick<ReturnType<typeof useGuestList>, 'total' | 'guestAt' | 'missingBetween' | 'loadPage' | 'isStale'>;
  timezone: string;
  /** The guest whose drawer is open. */
  openId: string | null;
  addressOf: (ticketId: string) => To;
}

/** Before a row is measured. */
const ROW_PX = 56;
const OVERSCAN = 12;
/** A page that is only scrolled past isn't loaded. */
const REST_MS = 80;

/** Renders the rows in view only. The rest of the page's height stands for all others. */
export function GuestTable({ caption, list, timezone, openId, addressOf }: GuestTableProps) {
  const { total, guestAt, missingBetween, loadPage, isStale } = list;
  const body = useRef<HTMLDivElement>(null);
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
  useLoading(missingBetween(virtual.range?.startIndex ?? 0, virtual.range?.endIndex ?? 0), loadPage);

  /** The rows next to one in view are rendered, so the focus is there for the next key. */
  function onKeyDown(event: KeyboardEvent, index: number) {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    body.current?.querySelector<HTMLElement>(`[data-index="${index + step}"] a`)?.focus();
  }

  return (
    <div role="table" aria-label={caption} aria-rowcount={total + 1} aria-busy={isStale} className={styles.table}>
      <div role="rowgroup" className={styles.tableHead}>
        <div role="row" aria-rowindex={1} className={styles.row}>
          <span role="columnheader">{text.name}</span>
          <span role="columnheader">{text.ticket}</span>
          <span role="columnheader">{text.number}</span>
          <span role="columnheader">{text.state}</span>
        </div>
      </div>
      <div role="rowgroup" ref={body} className={classNames(styles.tableBody, isStale && styles.stale)}>
        {rows.map(({ index, key, start }) => {
          const guest = guestAt(index);
          return (
            <Row
              key={key}
              index={index}
              top={start - top}
              measure={virtual.measureElement}
              isOpen={guest?.ticketId === openId}
            >
              {guest ? (
                <GuestCells
                  guest={guest}
                  timezone={timezone}
                  address={addressOf(guest.ticketId)}
                  onFocus={() => setFocused(index)}
                  onKeyDown={(event) => onKeyDown(event, index)}
                />
              ) : (
                <span role="cell" className={styles.loadingCell}>
                  <Skeleton className={styles.loadingRow} />
                </span>
              )}
            </Row>
          );
        })}
      </div>
    </div>
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

interface RowProps {
  index: number;
  /** In the list, in pixels. */
  top: number;
  measure: (row: HTMLElement | null) => void;
  isOpen: boolean;
  children: ReactNode;
}

function Row({ index, top, measure, isOpen, children }: RowProps) {
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
      className={classNames(styles.row, styles.guest, isOpen && styles.open)}
    >
      {children}
    </div>
  );
}

/** Loads pages that stay in view. */
function useLoading(pages: readonly number[], loadPage: (page: number) => Promise<void>) {
  const load = useEffectEvent(loadPage);
  const missing = pages.join();
  useEffect(() => {
    if (missing === '') return;
    const timer = setTimeout(() => {
      for (const page of missing.split(',')) void load(Number(page));
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [missing]);
}

interface GuestCellsProps extends Pick<ComponentProps<'a'>, 'onFocus' | 'onKeyDown'> {
  guest: ListedGuest;
  timezone: string;
  address: To;
}

function GuestCells({ guest, timezone, address, onFocus, onKeyDown }: GuestCellsProps) {
  const { name, email, ticketName, confirmationNumber, channel } = guest;
  return (
    <>
      <span role="cell" className={styles.who}>
        <Link
          to={address}
          state={{ keepsScroll: true, isOverList: true }}
          className={styles.name}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
        >
          {name ?? (email || text.deleted)}
        </Link>
        {name !== null && <span className={styles.email}>{email || guestDrawer.noEmail}</span>}
      </span>
      <span role="cell" className={styles.ticket}>
        <span className={styles.clipped}>{ticketName}</span>
        {channel !== 'online' && <Chip>{compMark}</Chip>}
      </span>
      <span role="cell" className={styles.number}>
        {text.ends(confirmationNumber.slice(-4))}
      </span>
      <span role="cell" className={styles.state}>
        <StateChip guest={guest} timezone={timezone} />
      </span>
    </>
  );
}

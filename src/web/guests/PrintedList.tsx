import { useCallback, useEffect, useState } from 'react';
import { Link, type To } from 'react-router';
import { type GuestFilters, type PrintedGuest, printedGuests } from '#contract/app/sales/guest-table.ts';
import { GUESTS_PER_SHEET } from '#domain/sales/guest-list.ts';
import { guestTablePage, printedList as text } from '#messages/sales/guest-table.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import styles from './printed.module.css';

interface PrintedListProps {
  eventId: string;
  filters: GuestFilters;
  backTo: To;
}

interface Printed {
  title: string;
  timezone: string;
  startsAt: string;
  guests: readonly PrintedGuest[];
  isWhole: boolean;
}

/** The list for a clipboard at the door. The browser prints it, so it has the alphabet of every name and the paper of every printer. */
function PrintedList({ eventId, filters, backTo }: PrintedListProps) {
  const { list, failure, reload } = usePrinted(eventId, filters);
  usePageTitle(list ? text.title(list.title) : guestTablePage.print);
  const sheets = list ? sheetsOf(list.guests) : [];

  return (
    <Page heading={null} className={styles.screen}>
      <header className={styles.head}>
        <p className={styles.path}>
          <Link to={backTo}>{text.back}</Link>
        </p>
        <h1 tabIndex={-1}>{guestTablePage.print}</h1>
        {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
        {!failure && (
          <p role="status">
            {!list?.isWhole && text.loading(list?.guests.length ?? 0)}
            {list?.isWhole && (sheets.length > 0 ? text.lead(sheets.length, list.guests.length) : text.none)}
          </p>
        )}
        {list?.isWhole && sheets.length > 0 && <Button onClick={() => window.print()}>{text.print}</Button>}
      </header>
      {list?.isWhole &&
        sheets.map((guests, sheet) => (
          <section key={guests[0]?.ticketId} className={styles.sheet} aria-label={text.sheet(sheet + 1, sheets.length)}>
            <p className={styles.top}>
              <strong>{list.title}</strong>
              <span>{formatShort(list.startsAt, list.timezone)}</span>
              <span>{text.sheet(sheet + 1, sheets.length)}</span>
            </p>
            <table>
              <thead>
                <tr>
                  <th scope="col">{text.in}</th>
                  <th scope="col">{text.name}</th>
                  <th scope="col">{text.ticket}</th>
                  <th scope="col">{text.number}</th>
                </tr>
              </thead>
              <tbody>
                {guests.map((guest) => (
                  <PrintedRow key={guest.ticketId} guest={guest} />
                ))}
              </tbody>
            </table>
          </section>
        ))}
    </Page>
  );
}

function PrintedRow({ guest: { name, ticketName, lastDigits, isCheckedIn } }: { guest: PrintedGuest }) {
  return (
    <tr>
      <td>
        <span
          className={styles.box}
          role="img"
          aria-label={isCheckedIn ? text.checkedIn : guestTablePage.filters['not-yet']}
        >
          {isCheckedIn && '✓'}
        </span>
      </td>
      <td>{name ?? <span className={styles.noName}>{text.noName}</span>}</td>
      <td>{ticketName}</td>
      <td className={styles.digits}>{lastDigits}</td>
    </tr>
  );
}

function usePrinted(eventId: string, filters: GuestFilters) {
  const [list, setList] = useState<Printed | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setFailure(null);
      setList(null);
      try {
        const guests: PrintedGuest[] = [];
        for (let after: string | null = null, isWhole = false; !isWhole; ) {
          const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(after, signal);
          if (signal?.aborted) return;
          guests.push(...page.guests);
          after = page.next;
          isWhole = after === null;
          setList({ ...page, guests: [...guests], isWhole });
        }
      } catch (error) {
        if (!signal?.aborted) setFailure(failureFrom(error, guestTablePage.notLoaded));
      }

      function pageAfter(after: string | null, stopped?: AbortSignal) {
        return call(
          printedGuests,
          { eventId, ...filters, ...(after && { after }) },
          stopped ? { signal: stopped } : {},
        );
      }
    },
    [eventId, filters],
  );
  useEffect(() => {
    const stop = new AbortController();
    void load(stop.signal);
    return () => stop.abort();
  }, [load]);

  return { list, failure, reload: () => load() };
}

const sheetsOf = (guests: readonly PrintedGuest[]) =>
  Array.from({ length: Math.ceil(guests.length / GUESTS_PER_SHEET) }, (_, sheet) =>
    guests.slice(sheet * GUESTS_PER_SHEET, (sheet + 1) * GUESTS_PER_SHEET),
  );

export { PrintedList as Component };

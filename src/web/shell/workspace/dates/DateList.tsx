import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type EventRow, eventRows } from '#contract/app/records/workspace.ts';
import type { EventGroup } from '#domain/sales/event-status.ts';
import { eventList } from '#messages/records/workspace.ts';
import { datesText as text } from '#messages/series/series.ts';
import { call, messageFrom } from '#web/api.ts';
import { StatusChip } from '#web/shell/workspace/StatusChip.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { written } from '#web/ui/data/format.ts';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import srOnly from '#web/ui/styles/text.module.css';
import styles from './date-list.module.css';

interface DateListProps {
  seriesId: string;
  group: EventGroup;
  title: string;
}

/** The dates of a series in one group of the home, each a link to its workspace. */
export function DateList({ seriesId, group, title }: DateListProps) {
  const [rows, setRows] = useState<readonly EventRow[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    const stop = new AbortController();
    call(eventRows, { seriesId, group }, { signal: stop.signal }).then(
      (page) => {
        setRows(page.rows);
        setNext(page.next);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setFailure(messageFrom(error, text.notLoaded));
      },
    );
    return () => stop.abort();
  }, [seriesId, group]);

  async function loadMore(after: string) {
    try {
      const page = await call(eventRows, { seriesId, group, after });
      setRows([...(rows ?? []), ...page.rows]);
      setNext(page.next);
    } catch (error) {
      toast.error(messageFrom(error, text.notLoaded));
    }
  }

  if (failure) return <p role="alert">{failure}</p>;
  if (!rows) return <Skeleton className={styles.loading} />;
  return (
    <>
      <ul className={styles.dates} aria-label={text.title(title)}>
        {rows.map((row) => (
          <li key={row.eventId} className={styles.date}>
            <span className={styles.name}>
              <Link to={`/events/${row.eventId}`} className={styles.when}>
                {written(row.startsAt, { timeZone: row.timezone, ...DATE_AND_TIME })}
              </Link>
              {row.subtitle && <span className={styles.subtitle}>{row.subtitle}</span>}
            </span>
            <span className={styles.sold}>
              <span aria-hidden="true">{eventList.sold(row.ticketsSold, row.ticketsOffered)}</span>
              <span className={srOnly.srOnly}>{eventList.soldLabel(row.ticketsSold, row.ticketsOffered)}</span>
            </span>
            <StatusChip status={row.status} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <Button kind="ghost" onClick={() => void loadMore(next)}>
          {text.more}
        </Button>
      )}
    </>
  );
}

const DATE_AND_TIME: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
};

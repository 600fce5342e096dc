import { Link } from 'react-router';
import type { EventSeries, SeriesDate } from '#contract/app/sales/series-changes.ts';
import { formatCount } from '#messages/format.ts';
import { seriesDates as text } from '#messages/series/series-changes.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import styles from './series-dates.module.css';
import { changedDates } from './use-series.ts';

type Result = NonNullable<SeriesDate['result']>;

const tones = {
  waiting: 'off',
  updated: 'ok',
  unchanged: 'off',
  cancelled: 'bad',
  denied: 'few',
} as const satisfies Record<Result['state'], string>;

interface SeriesDatesProps {
  caption: string;
  dates: readonly SeriesDate[];
  /** The event that is open. */
  eventId: string;
}

/** Dates with what became of each in the last change. */
export function SeriesDates({ caption, dates, eventId }: SeriesDatesProps) {
  const columns: Column<SeriesDate>[] = [
    { label: text.date, cell: (date) => <DateCell date={date} isOpen={date.eventId === eventId} /> },
    { label: text.sold, cell: ({ ticketsSold }) => formatCount(ticketsSold), numeric: true },
    ...(dates.some(({ result }) => result)
      ? [{ label: text.result, cell: ({ result }: SeriesDate) => result && <ResultCell result={result} /> }]
      : []),
  ];
  return <DataTable caption={caption} columns={columns} rows={dates} keyOf={(date) => date.eventId} />;
}

function DateCell({ date, isOpen }: { date: SeriesDate; isOpen: boolean }) {
  const when = formatShort(date.startsAt, date.timezone);
  return (
    <span className={styles.date}>
      {isOpen ? <strong>{when}</strong> : <Link to={`/events/${date.eventId}`}>{when}</Link>}
      {date.subtitle && <span className={styles.subtitle}>{date.subtitle}</span>}
      {date.isDraft && <Chip>{text.draft}</Chip>}
    </span>
  );
}

function ResultCell({ result }: { result: Result }) {
  return (
    <span className={styles.result}>
      <Chip tone={tones[result.state]}>{text.states[result.state]}</Chip>
      {result.msg && <span className={styles.why}>{result.msg}</span>}
    </span>
  );
}

/** How far the last change is. Announced once it is over. */
export function ChangeProgress({ series }: { series: EventSeries }) {
  const dates = changedDates(series);
  const waiting = dates.filter(({ result }) => result?.state === 'waiting').length;
  const denied = dates.filter(({ result }) => result?.state === 'denied').length;
  const isRunning = series.change?.isRunning ?? false;
  return (
    <div className={styles.progress}>
      <p role="status">{isRunning ? '' : text.done(dates.length, denied)}</p>
      {isRunning && (
        <>
          <p>{text.running(dates.length - waiting, dates.length)}</p>
          <progress aria-label={text.result} max={dates.length} value={dates.length - waiting} />
        </>
      )}
    </div>
  );
}

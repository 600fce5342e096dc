import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { Link } from 'react-router';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { EventRow } from '#contract/app/records/workspace.ts';
import { EVENT_SEARCH_MAX } from '#domain/limits.ts';
import { type EventGroup, eventGroups } from '#domain/sales/event-status.ts';
import { formatDollars } from '#messages/format.ts';
import { eventList as text } from '#messages/records/workspace.ts';
import { datesText } from '#messages/series/series.ts';
import { DateList } from '#web/shell/workspace/dates/DateList.tsx';
import { StatusChip } from '#web/shell/workspace/StatusChip.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { written } from '#web/ui/data/format.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import srOnly from '#web/ui/styles/text.module.css';
import styles from './EventList.module.css';
import { useEventRows } from './use-event-rows.ts';

interface EventListProps {
  /** Of the profile. The list is loaded again when they change. */
  events: readonly OrganizerEvent[];
  /** The card of the open line. */
  opened: ReactNode;
  openedId: string | undefined;
  /** How many events have a card above. */
  cards: number;
  onToggle: (eventId: string) => Promise<void>;
}

/** One line per event, grouped and searched. A line opens to the event's card. */
export function EventList({ events, opened, openedId, cards, onToggle }: EventListProps) {
  const [group, setGroup] = useState<EventGroup>('upcoming');
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const { rows, counts, next, failure, reload, loadMore, isLoading } = useEventRows(group, q, events);
  // Coming events that all have a card need no second mention, until they are asked for.
  const [isChosen, setIsChosen] = useState(false);
  if (!isChosen && counts && counts.upcoming <= cards && counts.past > 0) {
    setIsChosen(true);
    setGroup('past');
  }

  return (
    <section className={styles.section} aria-labelledby="all-events-title">
      <header className={styles.head}>
        <h2 id="all-events-title">{text.title}</h2>
        <div className={styles.groups}>
          {eventGroups.map((one) => (
            <button
              key={one}
              type="button"
              className={styles.group}
              aria-pressed={one === group}
              onClick={() => {
                setIsChosen(true);
                setGroup(one);
              }}
            >
              {text.group(text.groups[one], counts?.[one] ?? 0)}
            </button>
          ))}
        </div>
        <TextField
          label={text.search}
          name="event-search"
          type="search"
          className={styles.search}
          maxLength={EVENT_SEARCH_MAX}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </header>
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {!rows && !failure && <Skeleton className={styles.loading} />}
      {rows && (
        <>
          <p role="status" className={styles.status}>
            {rows.length === 0 && (q ? text.noHit(q) : text.none[group])}
          </p>
          <ul className={styles.rows}>
            {rows.map((row) => (
              <Row
                key={row.eventId}
                row={row}
                group={group}
                isOpen={row.eventId === openedId}
                onToggle={() => onToggle(row.eventId)}
              >
                {row.eventId === openedId && opened}
              </Row>
            ))}
          </ul>
          {next !== null && (
            <Button kind="ghost" className={styles.more} busy={isLoading} onClick={loadMore}>
              {text.more}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

interface RowProps {
  row: EventRow;
  group: EventGroup;
  isOpen: boolean;
  onToggle: () => Promise<void>;
  children: ReactNode;
}

function Row({ row, group, isOpen, onToggle, children }: RowProps) {
  const id = useId();
  const { eventId, title, subtitle, startsAt, timezone, status, ticketsSold, ticketsOffered, gross, payout } = row;
  const [hasDates, setHasDates] = useState(false);
  const money = payout ?? gross;
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <span className={styles.name}>
          <Link to={`/events/${eventId}`} className={styles.title}>
            {title}
          </Link>
          {row.dates > 1 ? (
            <button
              type="button"
              className={styles.dates}
              aria-expanded={hasDates}
              aria-controls={`${id}-dates`}
              aria-label={datesText.open(row.dates, title)}
              onClick={() => setHasDates(!hasDates)}
            >
              {datesText.count(row.dates)}
            </button>
          ) : (
            subtitle && <span className={styles.subtitle}>{subtitle}</span>
          )}
        </span>
        <span className={styles.date}>{written(startsAt, { timeZone: timezone, ...DATE })}</span>
        <span className={styles.chip}>
          <StatusChip status={status} />
        </span>
        <span className={styles.sold}>
          <span aria-hidden="true">{text.sold(ticketsSold, ticketsOffered)}</span>
          <span className={srOnly.srOnly}>{text.soldLabel(ticketsSold, ticketsOffered)}</span>
        </span>
        <span className={styles.money}>
          {money !== null && status !== 'cancelled' && formatDollars(Math.max(0, money))}
        </span>
        <Button
          kind="ghost"
          aria-expanded={isOpen}
          aria-controls={`${id}-card`}
          aria-label={text.detailsOf(isOpen, title)}
          onClick={onToggle}
        >
          {isOpen ? text.hide : text.show}
        </Button>
      </div>
      <div id={`${id}-dates`} hidden={!hasDates} className={styles.list}>
        {hasDates && row.seriesId && <DateList seriesId={row.seriesId} group={group} title={title} />}
      </div>
      <div id={`${id}-card`} hidden={!isOpen} className={styles.card}>
        {children}
      </div>
    </li>
  );
}

const DATE: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' };
